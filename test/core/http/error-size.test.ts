/** @module-tag long */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FieldError } from '../../../src/core/errors.ts'
import { boundedErrors, cutText, MAX_ERROR_BYTES, MAX_ERRORS, shownKey } from '../../../src/core/http/error-size.ts'

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).byteLength

test.each([
  ['name', 'name'],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['x'.repeat(65), `${'x'.repeat(64)}…`],
  ['😀'.repeat(65), `${'😀'.repeat(64)}…`],
  ['a\u0000\u001bb', 'a\uFFFD\uFFFDb'],
  ['a\uD800', 'a\uFFFD'],
])('a key is shown in 64 characters at most, without control characters: case %#', (key, shown) => {
  expect(shownKey(key)).toBe(shown)
})

test('a text is cut after the last whole character within its bytes, and a short one is left as it is', () => {
  expect(cutText('short')).toBe('short')
  expect(cutText('x'.repeat(600), 512)).toBe(`${'x'.repeat(512)}…`)
  expect(cutText('é'.repeat(300), 511)).toBe(`${'é'.repeat(255)}…`)
  expect(cutText('é'.repeat(200), 512)).toBe('é'.repeat(200))
})

test('errors of any number and any text fit into an error body, the first ones first, and the others are counted', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 700 }),
    fc.constant('\u0000'.repeat(700)),
    fc.constant('😀'.repeat(300)),
  )
  const error = fc.record({ path: text, code: fc.constant('invalid_value'), message: text })
  fc.assert(
    fc.property(fc.array(error, { maxLength: 120 }), fc.nat(1_000), (errors, before) => {
      const bounded = boundedErrors(errors, before)
      expect(bytesOf(bounded)).toBeLessThan(MAX_ERROR_BYTES)
      expect(bounded.errors.length).toBeLessThanOrEqual(MAX_ERRORS)
      expect(bounded.errors.length + (bounded.errors_omitted ?? 0)).toBe(errors.length + before)
      expect(bounded.errors.map(({ code }) => code)).toEqual(errors.slice(0, bounded.errors.length).map((e) => e.code))
    }),
  )
  expect(boundedErrors([] satisfies FieldError[])).toEqual({ errors: [] })
})
