import { spawn } from 'node:child_process'

interface Options {
  cwd: string
  env: NodeJS.ProcessEnv
  input?: string
}

/** A program that hangs ends here. */
const PATIENCE_MS = 120_000

/** The standard output of a program that runs without a terminal. A failure shows all that it has printed. */
export function succeed(
  program: string,
  args: readonly string[],
  { input = '', ...options }: Options,
): Promise<string> {
  return new Promise((settle, fail) => {
    const child = spawn(program, args, { ...options, timeout: PATIENCE_MS })
    const printed = { out: '', all: '' }
    child.stdout.on('data', (chunk: Buffer) => {
      printed.out += chunk.toString()
      printed.all += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => (printed.all += chunk.toString()))
    child.on('error', fail)
    child.on('close', (code) => {
      if (code === 0) settle(printed.out)
      else fail(new Error(`${program} ${args.join(' ')} ended with ${code}:\n${printed.all}`))
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}
