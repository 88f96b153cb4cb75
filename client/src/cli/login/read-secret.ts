import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { readAll, type Io } from '../io.ts'

const CTRL_C = '\u0003'
const BACKSPACES = new Set(['\u007f', '\b'])
const ENDS = new Set(['\r', '\n', '\u0004'])

/** A secret from standard input. On a terminal it is asked for, and nothing of it appears. */
export async function readSecret(io: Io, question: string): Promise<string> {
  const { stdin } = io
  if (stdin.isTTY !== true || !stdin.setRawMode) return (await readAll(stdin)).trim()
  io.stderr.write(question)
  stdin.setRawMode(true)
  try {
    let typed = ''
    for await (const chunk of stdin) {
      for (const char of String(chunk)) {
        if (char === CTRL_C) throw new Failure(EXIT.interrupted, 'Stopped.')
        if (ENDS.has(char)) return typed.trim()
        typed = BACKSPACES.has(char) ? typed.slice(0, -1) : typed + char
      }
    }
    return typed.trim()
  } finally {
    stdin.setRawMode(false)
    io.stderr.write('\n')
  }
}
