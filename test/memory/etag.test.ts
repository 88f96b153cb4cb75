import { expect, test } from 'vitest'
import { matchesNone } from '../../src/core/http/if-none-match.ts'
import { etagOf, readIfMatch } from '../../src/memory/etag.ts'

test('a tag covers version and embedding status', () => {
  expect(etagOf({ version: 3, embedding_status: 'completed' })).toBe('"3-completed"')
})

test.each([
  [null, true],
  ['"3-pending"', true],
  ['"2-completed"', true],
  ['3-completed', true],
  ['', true],
  ['"3-completed"', false],
  ['W/"3-completed"', false],
  ['"x",W/"3-completed" , "y"', false],
  ['*', false],
])('If-None-Match: %s', (header, changed) => {
  expect(matchesNone(header, '"3-completed"')).toBe(changed)
})

test.each([
  [null, null],
  ['*', null],
  ['"3-completed"', [3]],
  ['"3-pending"', [3]],
  ['"3"', [3]],
  ['"3-pending", "4-completed"', [3, 4]],
  ['"3-pending", *', null],
  // RFC 9110 §13.1.1: the comparison is a strong one.
  ['W/"3-completed"', []],
  ['3', []],
  ['"three"', []],
  ['"99999999999999999999"', []],
  ['', []],
])('If-Match: %s asks for the versions %j', (header, versions) => {
  expect(readIfMatch(header)).toEqual(versions && new Set(versions))
})
