import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { EXIT } from './exit-codes.ts'
import { Failure } from './failure.ts'
import { NotText, readText } from './read-text.ts'

/** A stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number }

/** All that a command touches of its process, so that a test can put something else there. */
export interface Io {
  env: NodeJS.ProcessEnv
  stdin: Readable & { isTTY?: boolean; setRawMode?(mode: boolean): unknown }
  stdout: Output
  stderr: Output
  /** Ctrl-C. A command ends as soon as it can leave everything in order; a second Ctrl-C ends the process. */
  interrupted: AbortSignal
  /** Milliseconds since 1970. */
  now: () => number
  sleep: (ms: number) => Promise<void>
  randomBytes: (length: number) => Uint8Array<ArrayBuffer>
}

const DEFAULT_COLUMNS = 80

/** A terminal without a size, such as that of `script`, has 0 columns. */
export const columnsOf = (output: Output): number => output.columns || DEFAULT_COLUMNS

/** The next line of standard input; an empty one at its end or at Ctrl-C. */
export async function nextLine(io: Io): Promise<string> {
  const lines = createInterface({ input: io.stdin, terminal: false, signal: io.interrupted })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    io.stdin.pause()
  }
}

/** The text of a stream, which must be UTF-8, or UTF-16 with a byte order mark. */
export async function readAll(input: Readable): Promise<string> {
  try {
    return readText(await readBytes(input))
  } catch (error) {
    if (!(error instanceof NotText)) throw error
    throw new Failure(EXIT.invalid, `Standard input cannot be read: ${error.message}.`, { cause: error })
  }
}

export async function readBytes(input: Readable): Promise<Uint8Array> {
  const parts: Buffer[] = []
  for await (const part of input) parts.push(Buffer.from(part as Uint8Array | string))
  return Buffer.concat(parts)
}
