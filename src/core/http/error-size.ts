import type { FieldError } from '../errors.ts'
import { utf8 } from '../values/encoding.ts'

/** The most bytes of an error body, whatever the request holds (contract §1). */
export const MAX_ERROR_BYTES = 32 * 1024
/** Entries of `errors`, and of an import's errors by line. */
export const MAX_ERRORS = 50
/** A key of the client's input is cut after this many characters. */
export const MAX_KEY_CHARACTERS = 64
/** A `detail` is cut after this many bytes. */
export const MAX_DETAIL_BYTES = 512
/** Leaves room for the other members of the body. */
const MAX_ERRORS_BYTES = MAX_ERROR_BYTES - 4 * 1024

/** A key of the client's input, fit for an answer: cut, and without characters that JSON would write as six. */
export function shownKey(key: string): string {
  // By code points; a long key is cut before it is looked at.
  const shown = Array.from(key.slice(0, 2 * MAX_KEY_CHARACTERS + 2))
  const cut = shown.length > MAX_KEY_CHARACTERS ? `${shown.slice(0, MAX_KEY_CHARACTERS).join('')}…` : shown.join('')
  return cut.toWellFormed().replaceAll(/\p{Cc}/gu, '\uFFFD')
}

/** The text cut after `maxBytes` of UTF-8. */
export function cutText(text: string, maxBytes = MAX_DETAIL_BYTES): string {
  // No character takes more than three bytes a code unit, so a short text need not be encoded.
  if (text.length * 3 <= maxBytes) return text
  const bytes = utf8(text.slice(0, maxBytes))
  if (bytes.byteLength <= maxBytes && text.length <= maxBytes) return text
  // `stream` leaves out a character that the cut went through.
  return `${new TextDecoder().decode(bytes.slice(0, maxBytes), { stream: true })}…`
}

/** As many errors as an error body may hold, and how many were left out. */
export function boundedErrors(
  errors: readonly FieldError[],
  omittedBefore = 0,
): { errors: FieldError[]; errors_omitted?: number } {
  const shown: FieldError[] = []
  let bytes = 0
  for (const { path, code, message } of errors.slice(0, MAX_ERRORS)) {
    const entry = { path: cutText(path), code, message: cutText(message) }
    bytes += utf8(JSON.stringify(entry)).byteLength + 1
    if (bytes > MAX_ERRORS_BYTES) break
    shown.push(entry)
  }
  const omitted = omittedBefore + errors.length - shown.length
  return { errors: shown, ...(omitted > 0 ? { errors_omitted: omitted } : {}) }
}
