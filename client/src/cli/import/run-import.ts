import { measure, type Measured } from '../convert/measure.ts'
import { openSource, type Source, type SourceOptions } from '../convert/source.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { ImportReport } from '../../index.ts'
import type { Io } from '../io.ts'
import { count, startProgress } from '../output/progress.ts'
import type { Guard, ImportTarget } from '../service.ts'
import { callsOf, type ImportCall } from './calls.ts'
import { doubt, isInDoubt, type InDoubt } from './in-doubt.ts'
import { begin, callKey, Journal, type Progressed } from './journal.ts'
import { prune } from './prune.ts'
import { hasParts, removeStale } from './stale-parts.ts'

const ERRORS_KEPT = 50
/** The service frees the key of a call that broke off 60 s after its last sign of life (contract §1). */
const HELD_LOOKS = 45
const HELD_WAIT_MS = 2_000

export interface ImportRequest extends SourceOptions {
  source: string
  project: string | undefined
  guard?: Guard | undefined
  /** Deletes the items of files that are gone. */
  prune?: boolean | undefined
  /** Starts over, whatever an earlier run has done. */
  restart: boolean
  /** null: asks, by a failure. */
  inDoubt: InDoubt | null
}

/** A store-only credential imports all the same. */
const UNREADABLE = 'parts that an earlier import may have left are kept: the credential does not have read:memory'

type Report = Pick<ImportReport, 'created' | 'updated' | 'failed' | 'results'>

/** The outcome of an import, over all its runs. */
export interface Outcome extends Progressed, Pick<Measured, 'leftOut' | 'leftOutByReason' | 'notes'> {
  /** Items that were deleted: parts that their source does not have any more, and items of files that are gone. */
  removed: number
  pruned: number
  /** Ctrl-C: the same command goes on. */
  stopped: boolean
}

/** Imports a source call by call, from where an earlier run of the same import broke off. */
export function runImport(io: Io, service: ImportTarget, request: ImportRequest): Promise<Outcome> {
  const { source, format, namespace, since, project = '' } = request
  const { url, account } = service
  const journal = new Journal(io.env, { source, format, url, account, project, namespace, since })
  return journal.alone(`The import of ${source}`, () => importFrom(io, service, request, journal))
}

async function importFrom(io: Io, service: ImportTarget, request: ImportRequest, journal: Journal): Promise<Outcome> {
  const { source: name, project = '' } = request
  const earlier = request.restart ? null : await journal.read()
  const source = await openSource(io, name, request, earlier?.started_at ?? io.now())
  if (request.prune && source.folder === null) throw new Failure(EXIT.usage, '--prune needs a folder.')
  const { lines, sha256, leftOut, leftOutByReason, notes } = await measure(source)
  const outdated = earlier && earlier.sha256 !== sha256 ? earlier : null
  if (outdated) {
    const changed = `has changed since its import stopped at line ${count(outdated.done)}`
    if (!source.isLive)
      throw new Failure(EXIT.usage, `${name} ${changed}.`, { hint: 'To import it from the beginning, use --restart' })
    notes.push({ from: name, note: `it ${changed}, and was read from the beginning` })
  }
  const state = earlier && !outdated ? earlier : begin(io.now(), sha256, lines)
  const scope = { service, project, interrupted: io.interrupted }
  // Parts of this import itself would be found too, so this is asked before its first call.
  const split = source.identifies ? await hasParts(scope) : null
  if (source.identifies && split === null) notes.push({ from: name, note: UNREADABLE })
  const outcome = (stopped: boolean, removed = 0, pruned = 0) => ({
    ...state,
    leftOut,
    leftOutByReason,
    notes,
    removed,
    pruned,
    stopped,
  })
  if (!(await sendAll(io, request, { service, source, state, journal }))) return outcome(true)
  const removed = split === null ? 0 : await removeStale(scope, { source, split, except: state.incomplete })
  const pruned = request.prune ? await prune(scope, { source, leftOut, namespace: request.namespace ?? null }) : 0
  if (io.interrupted.aborted) return outcome(true, removed, pruned)
  await journal.erase()
  return outcome(false, removed, pruned)
}

interface Run {
  service: ImportTarget
  source: Source
  state: Progressed
  journal: Journal
}

/** Sends what is left of an import. False: Ctrl-C has stopped it. */
async function sendAll(
  io: Io,
  { project = '', guard, inDoubt }: ImportRequest,
  { service, source, state, journal }: Run,
): Promise<boolean> {
  const progress = startProgress(io, { total: state.lines, from: state.done })
  if (state.done > 0) progress.say(`Resuming after line ${count(state.done)} of ${count(state.lines)}.`)
  await journal.write(state)
  progress.show(state.done)
  try {
    for await (const call of callsOf(source.records(), state.done)) {
      if (io.interrupted.aborted) return false
      if (isInDoubt(state, call, io.now())) {
        if (inDoubt === null) throw doubt(state, call)
        state.sent_at = null
        if (inDoubt === 'skip') {
          state.done += call.from.length
          state.in_doubt += call.from.length
          state.incomplete.push(...call.origins.flatMap((origin) => (origin ? [origin.id] : [])))
          continue
        }
      }
      state.sent_at ??= io.now()
      await journal.write(state)
      const report = await send(io, service, { state, call, project, guard, say: (line) => progress.say(line) })
      add(state, call, report)
      await journal.write(state)
      progress.show(state.done, state.failed === 0 ? '' : `${count(state.failed)} failed`)
    }
    return true
  } finally {
    progress.end()
  }
}

interface Sending {
  state: Progressed
  call: ImportCall
  project: string
  guard: Guard | undefined
  say: (line: string) => void
}

/**
 * Sends one call. A run that was killed may have left the same call at the service, which still holds its key: this one
 * waits until the service lets it go on from there.
 */
async function send(io: Io, service: ImportTarget, { state, call, project, guard, say }: Sending): Promise<Report> {
  for (let looks = 1; ; looks += 1) {
    try {
      return await service.importLines(call.body, {
        ...(project === '' ? {} : { project }),
        guard,
        idempotencyKey: callKey(state, state.done, call.body),
      })
    } catch (error) {
      const tooLarge = error instanceof Failure && error.code === 'payload_too_large'
      if (tooLarge && call.from.length === 1) return refused(error)
      const held = error instanceof Failure && error.code === 'idempotency_in_progress'
      if (!held || looks === HELD_LOOKS || io.interrupted.aborted) throw error
      if (looks === 1) say('The service is still processing lines from an earlier run. Waiting for it …')
      await io.sleep(HELD_WAIT_MS)
    }
  }
}

/** One line that is larger than a call may be. */
const refused = ({ message }: Failure): Report => ({
  created: 0,
  updated: 0,
  failed: 1,
  results: [{ line: 1, status: 'error', error: { status: 413, code: 'payload_too_large', detail: message } }],
})

function add(state: Progressed, call: ImportCall, { created, updated, failed, results }: Report): void {
  const errors = results.flatMap(({ line, error }) =>
    error ? [{ from: call.from[line - 1] ?? '', code: error.code, detail: error.detail }] : [],
  )
  state.done += call.from.length
  state.sent_at = null
  state.created += created
  state.updated += updated
  state.failed += failed
  state.secrets = results.reduce(
    (sum, { warnings, warnings_omitted = 0 }) => sum + (warnings?.length ?? 0) + warnings_omitted,
    state.secrets ?? 0,
  )
  for (const { line, status } of results) {
    const origin = call.origins[line - 1]
    if (status === 'error' && origin) state.incomplete.push(origin.id)
  }
  state.errors.push(...errors.slice(0, ERRORS_KEPT - state.errors.length))
}
