import { AppError, detailOf, invalid } from '../errors.ts'
import { shownKey } from './error-size.ts'
import { describeIssue, faultsOf } from './input-faults.ts'
import { refuseIntegers, unsafeIntegers } from './json/unsafe-integers.ts'
import type { z } from 'zod'

/** Reads a body of at most `maxBytes`, whatever length it declares; 413 past that. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get('content-length')
  if (Number(declared ?? 0) > maxBytes) throw tooLarge(maxBytes)
  if (!request.body) return new Uint8Array()
  // HTTP cuts a body at the length that it declares. One call for it costs half as much as a reader.
  if (declared !== null && Number(declared) <= maxBytes) return atMost(maxBytes, await request.arrayBuffer())
  const reader = request.body.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      throw tooLarge(maxBytes)
    }
    parts.push(value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

function atMost(maxBytes: number, body: ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (body.byteLength > maxBytes) throw tooLarge(maxBytes)
  return new Uint8Array(body)
}

const tooLarge = (maxBytes: number): AppError =>
  new AppError('payload_too_large', { detail: `The body is larger than ${maxBytes} bytes.` })

/** 415 unless the media type is the expected one; an empty body needs none (contract §1). */
export function requireType(request: Request, expected: string): void {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== expected) {
    throw new AppError('unsupported_media_type', {
      detail: `Send this body as ${expected}.`,
      headers: { Accept: expected },
    })
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Decodes UTF-8 strictly (a BOM is dropped, RFC 8259 §8.1); 400 otherwise. */
export function decodeText(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw new AppError('invalid_json', { detail: 'The body is not valid UTF-8.' })
  }
}

/** Parses JSON; what no store keeps faithfully is refused: lone surrogates, NUL, unsafe integers. `what`: in words. */
export function parseJson(text: string, what = 'The body'): unknown {
  const value = parseAnyIntegers(text, what)
  refuseIntegers(unsafeIntegers(text))
  return value
}

/** The same for a caller that looks for unsafe integers itself. */
export function parseAnyIntegers(text: string, what = 'The body'): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AppError('invalid_json', { detail: `${what} is not valid JSON.` })
  }
  // Only an escape brings them this far: the UTF-8 decoder refuses raw surrogates, and JSON refuses a raw NUL.
  if (/\\u(?:[dD][89a-fA-F]|0000)/.test(text)) refuseBrokenStrings(value)
  return value
}

/** Walks without recursion: the depth of a client's JSON is the client's choice. */
function refuseBrokenStrings(root: unknown): void {
  const queue: unknown[] = [root]
  while (queue.length > 0) {
    const value = queue.pop()
    if (typeof value === 'string') {
      if (!value.isWellFormed() || value.includes('\0')) {
        throw invalid('', 'invalid_character', 'Strings cannot contain lone surrogates or NUL.')
      }
    } else if (value !== null && typeof value === 'object') {
      for (const [key, member] of Object.entries(value)) queue.push(key, member)
    }
  }
}

/**
 * Reads form bodies and queries. A repeated name becomes an array, so that a schema for one value refuses it. Bytes that
 * are no UTF-8 are refused: `URLSearchParams` would make one character of them all.
 */
export function parseForm(encoded: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>()
  if (/%[89a-f]/i.test(encoded)) refuseBrokenBytes(encoded)
  for (const [name, value] of new URLSearchParams(encoded)) {
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value])
    if (value.includes('\0') || name.includes('\0'))
      throw invalid(shownKey(name), 'invalid_character', 'NUL is not allowed.')
  }
  return Object.fromEntries(fields)
}

function refuseBrokenBytes(encoded: string): void {
  const broken = encoded.split('&').find((pair) => !(pair.match(/(?:%[0-9a-f]{2})+/gi) ?? []).every(isUtf8))
  if (broken === undefined) return
  const [name = ''] = new URLSearchParams(broken).keys()
  throw invalid(shownKey(name), 'invalid_character', 'Percent-encoded bytes must be UTF-8.')
}

function isUtf8(bytes: string): boolean {
  try {
    return decodeURIComponent(bytes) !== ''
  } catch {
    return false
  }
}

/** The value in the shape of the schema; 422 with each fault (contract §1). */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const errors = faultsOf(issues)
  const faults = issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
  const [first] = errors
  throw new AppError('validation_failed', {
    detail: first ? detailOf(first.path, first.message) : 'The input is not valid.',
    errors,
    errorsOmitted: Math.max(0, faults - errors.length),
  })
}
