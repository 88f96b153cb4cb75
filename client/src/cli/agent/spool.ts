import { appendFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { statePath } from '../config/paths.ts'
import { orMissing } from '../config/private-file.ts'
import { readJson } from '../read-json.ts'

export interface Message {
  id: string
  role: 'user' | 'assistant'
  content: string
  timestamp: string
}

/** A turn that waits to be sent, as `POST /v1/memory/ingest` takes it. */
export interface Waiting {
  /** The deployment that it was said to, and whose login it was: no other account gets it. */
  url: string
  account: string
  body: {
    conversation_id: string
    messages: Message[]
    context: { namespace: string; project_id?: string }
    visibility: 'private' | 'project'
  }
}

export const MAX_WAITING_TURNS = 1_000
export const MAX_WAITING_BYTES = 32 * 1_024 * 1_024
/** Milliseconds, so that names sort by age, then what makes a name unique, then bytes. */
const NAME = /^\d{15}-[0-9a-f]{16}-(\d+)\.json$/
const HOUR_MS = 3_600_000

/**
 * Turns on their way to the service: one closed file each, so that a hook writes without waiting for anything. The oldest ones
 * are dropped beyond a bound, and counted.
 */
export class Spool {
  readonly #folder: string
  readonly #dropped: string

  constructor(env: NodeJS.ProcessEnv) {
    this.#folder = statePath(env, 'agents', 'spool')
    this.#dropped = statePath(env, 'agents', 'dropped')
  }

  async add(turn: Waiting, now: number): Promise<void> {
    const text = JSON.stringify(turn)
    const unique = Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')
    const name = `${String(now).padStart(15, '0')}-${unique}-${Buffer.byteLength(text)}.json`
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const fresh = join(this.#folder, `.${unique}`)
    await writeFile(fresh, text, { mode: 0o600, flag: 'wx' })
    await rename(fresh, join(this.#folder, name))
    await this.#bound()
  }

  /** The oldest first. */
  async names(): Promise<string[]> {
    return (await this.#all()).filter((name) => NAME.test(name)).sort()
  }

  /** null: another process has sent it, or its file held no turn and was dropped. */
  async read(name: string): Promise<Waiting | null> {
    const text = await orMissing(readFile(join(this.#folder, name), 'utf8'))
    if (text === null) return null
    const turn = turnIn(text)
    if (!turn) await this.drop(name)
    return turn
  }

  remove(name: string): Promise<void> {
    return rm(join(this.#folder, name), { force: true })
  }

  /** Removes a turn that is never sent. */
  async drop(name: string): Promise<void> {
    await this.remove(name)
    // One byte each: two processes that append lose nothing.
    await appendFile(this.#dropped, '.', { mode: 0o600 })
  }

  /** How many turns were never sent. */
  async dropped(): Promise<number> {
    return (await orMissing(stat(this.#dropped)))?.size ?? 0
  }

  /** Erases what processes had begun to write when they ended. */
  async clean(now: number): Promise<void> {
    for (const name of await this.#all()) {
      const path = join(this.#folder, name)
      if (name.startsWith('.') && now - (await stat(path)).mtimeMs > HOUR_MS) await rm(path, { force: true })
    }
  }

  async #bound(): Promise<void> {
    const names = await this.names()
    let bytes = names.reduce((sum, name) => sum + bytesOf(name), 0)
    for (let count = names.length; count > MAX_WAITING_TURNS || bytes > MAX_WAITING_BYTES; count -= 1) {
      const oldest = names[names.length - count]
      if (oldest === undefined) return
      await this.drop(oldest)
      bytes -= bytesOf(oldest)
    }
  }

  async #all(): Promise<string[]> {
    return (await orMissing(readdir(this.#folder))) ?? []
  }
}

/** null for a file that a crash cut off, or that somebody else wrote. */
function turnIn(text: string): Waiting | null {
  const turn = readJson(text) as Partial<Waiting> | null | undefined
  const isTurn = [turn?.url, turn?.account].every((one) => typeof one === 'string') && typeof turn?.body === 'object'
  return isTurn ? (turn as Waiting) : null
}

const bytesOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0)
