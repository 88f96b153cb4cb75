/** Workers AI begins a message with its code, and may repeat the input behind it. */
const CODE = /^(?:\w+: )*(\d{4})\b/

/** A failure of Workers AI without its words: nothing of a text or a query goes into the log. */
export class WorkersAiFailure extends Error {
  override readonly name = 'WorkersAiFailure'
  readonly code: string | undefined

  constructor(error: unknown) {
    const code = error instanceof Error ? CODE.exec(error.message)?.[1] : undefined
    super(`Workers AI failed ${code === undefined ? 'without a code' : `with the code ${code}`}`)
    this.code = code
  }
}
