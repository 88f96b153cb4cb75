import { spawn } from 'node:child_process'

interface Options {
  cwd: string
  env: NodeJS.ProcessEnv
  /** Goes on when the program has printed this, and leaves it running. */
  until?: string
  /** What is really run, if it is called by another name. */
  run?: string
}

const KEY_MS = 55
const READ_MS = 2_200
/** A longer wait is shown as one of this length. */
const LONGEST_MS = 900

/** What stands in a terminal, over time: commands that are typed, and what the programs print in a pseudo-terminal. */
export class Cast {
  readonly chunks: { at: number; text: string }[] = []
  #now = 0
  readonly #size: { columns: number; rows: number }

  constructor(size: { columns: number; rows: number }) {
    this.#size = size
  }

  add(text: string, afterMs: number): void {
    this.#now += afterMs
    this.chunks.push({ at: this.#now, text })
  }

  /** A page of its own, with a line that says what follows. */
  page(title: string): void {
    this.add(`\x1b[2J\x1b[H\x1b[2m# ${title}\x1b[0m\r\n`, this.chunks.length === 0 ? 0 : READ_MS)
  }

  /**
   * Types a command, runs it in a pseudo-terminal and keeps what it prints, with its times. Resolves when it has ended, or
   * with `until` when it has printed this; `stop` then presses Ctrl-C.
   */
  async command(shown: string, { cwd, env, until, run = shown }: Options): Promise<{ stop: () => Promise<void> }> {
    this.add('\x1b[32m$\x1b[0m ', 300)
    for (const pair of shown.match(/.{1,2}/g) ?? []) this.add(pair, 2 * KEY_MS)
    this.add('\r\n', 300)
    const sized = `stty cols ${this.#size.columns} rows ${this.#size.rows}; exec ${run}`
    const child = spawn('script', ['-qefc', sized, '/dev/null'], {
      cwd,
      env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    })
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    let [before, printed, isKept] = [Date.now(), '', true]
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${shown}: ${code}\n${printed}`))))
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (!isKept) return
        this.add(withoutKeys(text), Math.min(Date.now() - before, LONGEST_MS))
        before = Date.now()
        printed += text
        if (until === undefined || !printed.includes(until)) return
        isKept = false
        resolve()
      })
    })
    return {
      stop: () => {
        child.stdin.write('\x03')
        return ended
      },
    }
  }
}

/** A key is shown by its beginning alone. */
const withoutKeys = (text: string): string => text.replaceAll(/\b(rck_test_)\w+/g, '$1…')
