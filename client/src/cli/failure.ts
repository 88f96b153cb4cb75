import type { ExitCode } from './exit-codes.ts'

/** A failure with a message for a person, what to do about it, and the exit code of the command. */
export class Failure extends Error {
  readonly exit: ExitCode
  readonly hint: string | null
  /** The code of the service, where it answered (contract §1). */
  readonly code: string | null
  readonly requestId: string | null

  constructor(
    exit: ExitCode,
    message: string,
    { hint, code, requestId, cause }: { hint?: string; code?: string; requestId?: string; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'Failure'
    this.exit = exit
    this.hint = hint ?? null
    this.code = code ?? null
    this.requestId = requestId ?? null
  }
}
