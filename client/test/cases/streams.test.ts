import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPython } from '../../../test/e2e/support/python.ts'
import { Recollect, RecollectError } from '../../src/index.ts'
import { named, there } from './case.ts'
import { runPython } from './python.ts'
import { idsOf, ScriptedStream, type Connection, type Heard } from './scripted-stream.ts'
import { errorOf } from './typescript.ts'

/** A stream, and what must come of it. Both clients listen to each, but to those with a reason. */
interface Case {
  name: string
  /** A WebSocket of a browser does not tell why it was refused. */
  only?: 'python'
  connections: Connection[]
  /** Where an earlier run of the program ended. */
  last?: string
  /** What the source of the token returns, one after the other. */
  tokens?: string[]
  /** The loop is left within this event. */
  take: number
  events: string[]
  last_event_id?: string
  connected?: object[]
  paths?: string[]
  sent_tokens?: string[]
  frames?: unknown[]
  waits?: number[]
  error?: object
}

interface Observed {
  events: string[]
  last_event_id: string | null
  connected: object[]
  waits: number[]
  error: object | null
}

const CASES = JSON.parse(readFileSync(join(import.meta.dirname, 'streams.json'), 'utf8')) as Case[]
const ENVIRONMENT_MS = 240_000

const service = new ScriptedStream()
beforeAll(() => service.start())
afterAll(() => service.stop())

/** Of what came, the parts that a case tells. */
const told = (one: Case, observed: Observed, heard: Heard): object => ({
  events: observed.events,
  error: one.error ? named(observed.error, one.error) : observed.error,
  last_event_id: one.last_event_id && observed.last_event_id,
  connected: one.connected && observed.connected.map((each, n) => named(each, one.connected?.[n] ?? each)),
  paths: one.paths && heard.paths,
  sent_tokens: one.sent_tokens && heard.tokens,
  frames: one.frames && heard.frames,
  waits: one.waits && observed.waits,
})

const expected = (one: Case): object => {
  const { events, error, last_event_id, connected, paths, sent_tokens, frames, waits } = one
  return {
    events: events.flatMap(idsOf),
    error: error ?? null,
    last_event_id,
    connected,
    paths,
    sent_tokens,
    frames,
    waits,
  }
}

async function listen(one: Case, baseUrl: string): Promise<Observed> {
  const waits: number[] = []
  const connected: object[] = []
  const [token = 'rca_x', ...rest] = one.tokens ?? []
  const accessToken = one.tokens
    ? (refused?: string) => (refused === undefined ? token : (rest.shift() ?? refused))
    : token
  const sleep = async (ms: number) => void waits.push(ms / 1_000)
  const client = new Recollect({ baseUrl, credential: { accessToken }, sleep, random: () => 1 })
  const stream = client.events.listen({
    channels: ['conversation'],
    ...(one.last === undefined ? {} : { lastEventId: one.last }),
    onConnected: (state) => connected.push(state),
  })
  const events: string[] = []
  let error: unknown = null
  try {
    for await (const event of stream) if (events.push(event.id) === one.take) break
  } catch (failure) {
    error = failure
  }
  return {
    events,
    last_event_id: stream.lastEventId,
    connected,
    waits,
    error: error instanceof RecollectError ? errorOf(error) : null,
  }
}

describe('the TypeScript client', () => {
  test.each(CASES.filter(({ only }) => only === undefined))('$name', async (one) => {
    const { baseUrl, heard } = service.script(one.connections)
    const observed = await listen(one, baseUrl)
    // Frames may arrive after the client has left.
    await expect.poll(() => told(one, observed, heard)).toEqual(expected(one))
  })
})

describe.runIf(hasPython)('the Python clients', () => {
  const scripts = new Map<Case, Record<'sync' | 'async', { heard: Heard; observed: Observed }>>()
  beforeAll(async () => {
    const given = CASES.map((one) => ({
      one,
      sync: service.script(one.connections),
      async: service.script(one.connections),
    }))
    const observed = await runPython<Record<'sync' | 'async', Observed>[]>(
      'run_streams.py',
      given.map(({ one, sync, async }) => ({ ...one, sync_url: sync.baseUrl, async_url: async.baseUrl })),
    )
    for (const [n, { one, sync, async }] of given.entries())
      scripts.set(one, {
        sync: { heard: sync.heard, observed: there(observed[n]).sync },
        async: { heard: async.heard, observed: there(observed[n]).async },
      })
  }, ENVIRONMENT_MS)

  test.each(CASES.flatMap((one) => (['sync', 'async'] as const).map((kind) => ({ one, kind, name: one.name }))))(
    '$kind: $name',
    async ({ one, kind }) => {
      const found = scripts.get(one)![kind]
      await expect.poll(() => told(one, found.observed, found.heard)).toEqual(expected(one))
    },
  )
})
