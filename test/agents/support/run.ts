import { spawn } from 'node:child_process'

export interface Finished {
  code: number | null
  output: string
}

/** A program that hangs ends here. */
const PATIENCE_MS = 120_000

/** Runs a program without a terminal and with an input that has ended. What it prints, in one text. */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; input?: string },
): Promise<Finished> {
  return new Promise((settle, fail) => {
    const { input = '', ...rest } = options
    const child = spawn(program, args, { ...rest, timeout: PATIENCE_MS })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', fail)
    child.on('close', (code) => settle({ code, output }))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

/** Fails with what the program has printed. */
export async function succeed(...of: Parameters<typeof run>): Promise<string> {
  const { code, output } = await run(...of)
  if (code !== 0) throw new Error(`${of[0]} ${of[1].join(' ')} ended with ${code}:\n${output}`)
  return output
}
