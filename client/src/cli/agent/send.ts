import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RecollectError } from '../../index.ts'
import { Http } from '../../http.ts'
import type { CredentialsFile } from '../config/credentials.ts'
import { hold, release } from '../config/hold.ts'
import { statePath } from '../config/paths.ts'
import { orMissing, readPrivate, writePrivate } from '../config/private-file.ts'
import type { Io } from '../io.ts'
import { accessToken } from '../login/access-token.ts'
import { loginOf, OtherLogin } from './credential.ts'
import { readSettings } from './settings.ts'
import { Spool, type Waiting } from './spool.ts'

/** The service will not take these later either. */
const REFUSED = new Set([400, 409, 413, 415, 422])
/** The project or the role in it may come back, and another request may end. Other turns are not held up. */
const isHeld = ({ status, code }: RecollectError): boolean =>
  status === 404 || code === 'forbidden' || (status === 409 && code !== 'custom_id_taken')
const SESSION_MS = 7 * 24 * 3_600_000

export interface Report {
  sent: number
  waiting: number
  dropped: number
  /** Why turns still wait after the last attempt; null where it sent all. Of several deployments it is the first failure. */
  failure: string | null
}

const lockPath = (env: NodeJS.ProcessEnv): string => statePath(env, 'agents', 'send.lock')
const failurePath = (env: NodeJS.ProcessEnv): string => statePath(env, 'agents', 'failure')

/** Sends the turns that wait, the oldest first, unless another process does. What fails stays for the next one. */
export async function send(io: Io, file: CredentialsFile): Promise<Report> {
  const spool = new Spool(io.env)
  let sent = 0
  // A turn that came while another process held the lock has nobody else to send it.
  for (let passed = new Set<string>(); ;) {
    if (await hold(lockPath(io.env))) break
    try {
      const done = await sendAll(io, file, spool, passed)
      sent += done.sent
      passed = done.passed
      await note(io.env, done.failure ?? done.foreign)
      if (done.failure !== null || io.interrupted.aborted) break
    } finally {
      await release(lockPath(io.env))
    }
    if ((await spool.names()).every((name) => passed.has(name))) break
  }
  return { sent, ...(await reportOf(io.env)) }
}

export async function reportOf(env: NodeJS.ProcessEnv): Promise<Omit<Report, 'sent'>> {
  const spool = new Spool(env)
  const [names, dropped, failure] = await Promise.all([spool.names(), spool.dropped(), readPrivate(failurePath(env))])
  return { waiting: names.length, dropped, failure }
}

/** A deployment that fails is left for the next attempt. The turns for another one are still sent. */
async function sendAll(io: Io, file: CredentialsFile, spool: Spool, passed: Set<string>) {
  await spool.clean(io.now())
  await cleanSessions(io)
  const failed = new Map<string, string>()
  let sent = 0
  let foreign: string | null = null
  try {
    await refresh(io, file, failed)
    for (const name of await spool.names()) {
      if (passed.has(name) || io.interrupted.aborted) continue
      const turn = await spool.read(name)
      if (!turn || failed.has(turn.url)) continue
      try {
        const outcome = await sendOne(io, file, name, turn)
        if (outcome === 'held') passed.add(name)
        else if (outcome === 'refused') await spool.drop(name)
        else {
          await spool.remove(name)
          sent += 1
        }
      } catch (error) {
        if (error instanceof OtherLogin) {
          passed.add(name)
          foreign ??= `Turns of another login at ${turn.url} wait for it.`
        } else failed.set(turn.url, reasonOf(error))
      }
    }
    const [failure = null] = failed.values()
    return { sent, passed, failure, foreign }
  } catch (error) {
    return { sent, passed, failure: reasonOf(error), foreign }
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What became of this turn. Any other failure is one of its deployment. */
async function sendOne(
  io: Io,
  file: CredentialsFile,
  name: string,
  { url, account, body }: Waiting,
): Promise<'sent' | 'held' | 'refused'> {
  const http = new Http({ baseUrl: url, credential: await loginOf(io, file, url, account) })
  try {
    const options = { idempotencyKey: name.replace(/\.json$/, '') }
    await http.send({ method: 'POST', path: '/v1/memory/ingest', body, options })
    return 'sent'
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error
    if (isHeld(error)) return 'held'
    if (REFUSED.has(error.status)) return 'refused'
    throw error
  }
}

/** A hook skips its recall where the login has expired. */
async function refresh(io: Io, file: CredentialsFile, failed: Map<string, string>): Promise<void> {
  const { url } = await readSettings(io.env)
  if (url === null) return
  try {
    if ((await file.deployment(url)).oauth) await accessToken(io, file, url)
  } catch (error) {
    failed.set(url, reasonOf(error))
  }
}

async function note(env: NodeJS.ProcessEnv, failure: string | null): Promise<void> {
  if (failure === null) await rm(failurePath(env), { force: true })
  else await writePrivate(failurePath(env), failure)
}

/** Of sessions that ended long ago. */
async function cleanSessions({ env, now }: Io): Promise<void> {
  const folder = statePath(env, 'agents', 'sessions')
  for (const name of (await orMissing(readdir(folder))) ?? []) {
    const path = join(folder, name)
    const found = await orMissing(stat(path))
    if (found && now() - found.mtimeMs > SESSION_MS) await rm(path, { force: true })
  }
}
