/** The model will never embed one of the texts. The cause says why. */
export class TextRefused extends Error {
  override readonly name = 'TextRefused'
}

/** The model answered something that cannot be the vectors of the texts. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer'
}

/** The model asks for a pause, or it was not asked at all because it is down. */
export class ModelDown extends Error {
  override readonly name = 'ModelDown'
  /** Milliseconds until it may be asked again. */
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** Scales a vector to length 1. Not every model does so itself. A vector without a length stays as it is. */
export function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1
  return Float32Array.from(values, (value) => value / length)
}

/**
 * Throws `UnusableAnswer` unless these are `count` vectors of the dimension with finite values and a length above 0. A
 * search would never find an item by any other vector.
 */
export function checkVectors(vectors: readonly Float32Array[], count: number, dimension: number): void {
  if (vectors.length === 0) throw new UnusableAnswer('the model answered no vectors')
  if (vectors.length !== count)
    throw new UnusableAnswer(`the model answered ${vectors.length} vectors for ${count} texts`)
  for (const vector of vectors) {
    if (vector.length !== dimension) throw new UnusableAnswer(`a vector has ${vector.length} values, not ${dimension}`)
    const squares = vector.reduce((sum, value) => sum + value * value, 0)
    if (!(squares > 0 && squares < Infinity)) throw new UnusableAnswer('a vector is zero or not finite')
  }
}
