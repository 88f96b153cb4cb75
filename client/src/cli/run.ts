import { CommanderError } from 'commander'
import { Context } from './commands/context.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { Failure } from './failure.ts'
import type { Io } from './io.ts'
import { visible, visibleJson } from './output/visible.ts'
import { programOf } from './program.ts'

/** Runs one command line. Its exit code. */
export async function run(io: Io, args: readonly string[], version: string): Promise<ExitCode> {
  const ctx = new Context(io)
  try {
    await programOf(ctx, version).parseAsync(args, { from: 'user' })
    return ctx.exit
  } catch (error) {
    // Help and version end this way too; their text is written.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    if (io.interrupted.aborted) {
      if (error instanceof Failure && error.exit === EXIT.interrupted) io.stderr.write(`${error.message}\n`)
      return EXIT.interrupted
    }
    return report(io, error, args.includes('--json'))
  }
}

/** Says on standard error what failed; as JSON where that was asked for. */
function report(io: Io, error: unknown, json: boolean): ExitCode {
  const { exit, message, hint, code, requestId } =
    error instanceof Failure ? error : new Failure(EXIT.failure, messageOf(error), { cause: error })
  if (json) {
    io.stderr.write(`${visibleJson({ error: { message, code, hint, request_id: requestId, exit } })}\n`)
    return exit
  }
  const details = [
    `recollect: ${message}`,
    ...(hint === null ? [] : [hint]),
    ...(requestId === null || exit !== EXIT.unavailable ? [] : [`Request ${requestId}`]),
  ]
  io.stderr.write(`${visible(details.join('\n'))}\n`)
  return exit
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
