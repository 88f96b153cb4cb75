import type { Embedding } from './vectors.ts'

/** A set of words. */
export interface Words {
  /** `word`: in lower case, without accents. */
  has(word: string): boolean
}

/** The words that the embedded model knows whole, and the common English ones among them. It is there whichever model the deployment has. */
export interface Vocabulary extends Words {
  common: Words
}

/** Texts of one call (architecture §9). */
export const MAX_TEXTS = 100

/** The model will never embed one of the texts. The cause says why. */
export class TextRefused extends Error {
  override readonly name = 'TextRefused'
}

/** The model answered something that cannot be the vectors of the texts. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer'
}

/** The vectors of the answer have another length than those of the model. */
export class WrongDimension extends UnusableAnswer {
  constructor(model: string, came: number, expected: number) {
    super(wrongDimension(model, String(came), expected))
  }
}

/** The model answered that it failed. The status says what is wrong: 404, the service lacks the model. */
export class FailedAnswer extends Error {
  override readonly name = 'FailedAnswer'

  constructor(model: string, status: number) {
    super(`The embedding model ${model} answered with status ${status}.`)
  }
}

/** What an item, the log and `/ready` say of it. */
export const wrongDimension = (model: string, came: string, expected: number): string =>
  `The embedding model ${model} returned vectors of ${came} values; ${expected} are expected.`

/** The model asks for a pause, or it was not asked at all because it is down. The cause is what it answered. */
export class ModelDown extends Error {
  override readonly name = 'ModelDown'
  /** Milliseconds until it may be asked again. */
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * What the model answered, as an item that waits for it and `/ready` tell it, because it says what to mend. Null where no
 * answer came.
 */
export function answerOf(failure: unknown): string | null {
  if (failure instanceof ModelDown || failure instanceof TextRefused) return answerOf(failure.cause)
  if (failure instanceof WrongDimension || failure instanceof FailedAnswer) return failure.message
  return failure instanceof UnusableAnswer ? 'The embedding model returned no usable vectors.' : null
}

/** One of the texts may be the reason of the failure. */
export const mayBlameTexts = (error: unknown): boolean =>
  error instanceof TextRefused || error instanceof UnusableAnswer

/** Scales a vector to length 1. Not every model does so itself. A vector without a length stays as it is. */
export function toEmbedding(values: readonly number[]): Embedding {
  const length = Math.hypot(...values) || 1
  return { values: Float32Array.from(values, (value) => value / length), pieces: null }
}

/** The length of the first vector; null where there is none. */
export const dimensionOf = (embeddings: readonly (Embedding | null)[]): number | null =>
  embeddings.find((embedding) => embedding !== null)?.values.length ?? null

/**
 * Throws `UnusableAnswer` unless these are `count` embeddings whose vectors have the dimension (null: any one), finite values
 * and a length above 0. A search would never find an item by any other vector.
 */
export function checkEmbeddings(
  embeddings: readonly (Embedding | null)[],
  count: number,
  { model, dimension }: { model: string; dimension: number | null },
): void {
  const expected = dimension ?? dimensionOf(embeddings)
  if (embeddings.length === 0) throw new UnusableAnswer('the model returned no vectors')
  if (embeddings.length !== count)
    throw new UnusableAnswer(`the model returned ${embeddings.length} vectors for ${count} texts`)
  for (const embedding of embeddings) {
    if (!embedding) continue
    const { values } = embedding
    if (expected !== null && values.length !== expected) throw new WrongDimension(model, values.length, expected)
    let squares = 0
    for (let at = 0; at < values.length; at++) squares += (values[at] ?? 0) ** 2
    if (!(squares > 0 && squares < Infinity)) throw new UnusableAnswer('a vector is zero or not finite')
  }
}
