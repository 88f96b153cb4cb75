/** A secret in a text, by its place in UTF-16 code units. It never holds the secret itself. */
export interface Found {
  kind: string
  start: number
  end: number
}

/**
 * Looks at a beginning that the alternation has found at `at`, and that ends at `after`. A number is the position from
 * which the search goes on where no secret begins there: past all that was read, so that no character is read often.
 */
export type Reader = (text: string, at: number, after: number) => Found | number

/**
 * Where a secret may begin: behind everything but a letter and a digit. The last character of an escape, such as `\n` and
 * `%3D`, is part of no word.
 */
export const BOUNDARY = '(?<=^|[^A-Za-z0-9]|\\\\[nrt]|\\\\u00[0-9a-f]{2}|%[0-9A-F]{2})'

/** Matches at one place. The expression must be sticky (`y`). */
export function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}

/** The end of the run of characters that begins at `at`; `at` where there is none. The expression must be sticky. */
export function runEnd(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at
  return expression.test(text) ? expression.lastIndex : at
}
