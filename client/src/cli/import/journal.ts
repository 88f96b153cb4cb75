import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runAlone } from '../config/alone.ts'
import { readPrivate, writePrivate } from '../config/private-file.ts'
import { statePath } from '../config/paths.ts'
import { fingerprint } from '../fingerprint.ts'

export interface LineError {
  from: string
  code: string
  detail: string
}

/** The progress of an import. It is written before and after each call, and erased at the end. */
export interface Progressed {
  /** A part of each idempotency key: the calls of two imports never meet. */
  run: string
  started_at: number
  /** Of all lines: the same file is the same import. */
  sha256: string
  lines: number
  /** Lines whose call was answered, or that were skipped. */
  done: number
  /** When the call after these was first sent; null: it was not. Milliseconds since 1970. */
  sent_at: number | null
  /** Lines that were skipped because nobody knows whether they are stored. */
  in_doubt: number
  created: number
  updated: number
  failed: number
  /** Secrets that the service found in the lines. An earlier version has not counted them. */
  secrets?: number
  /** The first failures. */
  errors: LineError[]
  /** The sources of lines that failed or are in doubt: nothing of theirs is removed. */
  incomplete: string[]
}

/** The identity of an import: its source, its target and its account. */
export interface ImportOf {
  source: string
  format: string
  url: string
  account: string
  project: string
  namespace: string | undefined
  since: number | undefined
}

/** The file that remembers an import between two runs. Standard input cannot be read again, so it has none. */
export class Journal {
  readonly #path: string | null

  constructor(env: NodeJS.ProcessEnv, of: ImportOf) {
    const place = of.namespace === undefined ? [] : [of.namespace]
    const from = of.since === undefined ? [] : [{ since: of.since }]
    const name = JSON.stringify([of.url, of.account, of.project, of.format, resolve(of.source), ...place, ...from])
    this.#path = of.source === '-' ? null : statePath(env, 'imports', `${fingerprint(name)}.json`)
  }

  /** Two runs of one import at once would send the same lines under two keys. */
  alone<T>(what: string, task: () => Promise<T>): Promise<T> {
    return this.#path === null ? task() : runAlone(`${this.#path}.running`, what, task)
  }

  async read(): Promise<Progressed | null> {
    const text = this.#path === null ? null : await readPrivate(this.#path)
    if (text === null) return null
    // An earlier version did not write `incomplete`.
    const { incomplete = [], ...state } = JSON.parse(text) as Omit<Progressed, 'incomplete'> & Partial<Progressed>
    return { ...state, incomplete }
  }

  async write(state: Progressed): Promise<void> {
    if (this.#path !== null) await writePrivate(this.#path, `${JSON.stringify(state)}\n`)
  }

  async erase(): Promise<void> {
    if (this.#path !== null) await rm(this.#path, { force: true })
  }
}

export const begin = (now: number, sha256: string, lines: number): Progressed => ({
  run: randomUUID(),
  started_at: now,
  sha256,
  lines,
  done: 0,
  sent_at: null,
  in_doubt: 0,
  created: 0,
  updated: 0,
  failed: 0,
  errors: [],
  incomplete: [],
})

/** The key of the call that begins at `first`: of the same lines it is the same, in a later run of the import too. */
export const callKey = ({ run }: Progressed, first: number, body: string): string =>
  createHash('sha256').update(`${run}\n${first}\n${body}`).digest('hex')
