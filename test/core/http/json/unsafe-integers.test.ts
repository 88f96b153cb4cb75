import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../../../src/core/http/body.ts'
import { isBelow, unsafeIntegerAt, unsafeIntegers } from '../../../../src/core/http/json/unsafe-integers.ts'

const pathsIn = (json: string): string[] => Array.from(unsafeIntegers(json), (places) => unsafeIntegerAt(places).path)

test.each([
  ['the largest', '9007199254740991', false],
  ['one more', '9007199254740992', true],
  ['the least', '-9007199254740991', false],
  ['one less', '-9007199254740992', true],
  ['64 bits', '1234567890123456789', true],
  ['past every exponent', '1'.repeat(400), true],
  ['a fraction', '0.12345678901234567', false],
  ['a point', '1234567890123456789.0', false],
  ['an exponent', '1234567890123456789e0', false],
  ['a large exponent', '1E+0000000000000000', false],
])('contract §1: %s', (_, number, unsafe) => {
  for (const [json, path] of [
    [number, ''],
    [` [ ${number} ] `, '0'],
    [`{"a":{"b":[0,{"c":${number}}]}}`, 'a.b.1.c'],
  ] as const) {
    expect(pathsIn(json)).toEqual(unsafe ? [path] : [])
  }
})

/** A value with the paths of its unsafe integers. */
interface Written {
  json: string
  paths: string[][]
}
const UNSAFE = ['9007199254740992', '-1234567890123456789', '99999999999999999999999']
const SAFE = ['0', '-1', '9007199254740991', '1e300', '1234567890123456789.5', 'true', 'null']
const leaf = fc.oneof(
  fc.constantFrom(...UNSAFE).map((json): Written => ({ json, paths: [[]] })),
  fc.constantFrom(...SAFE).map((json): Written => ({ json, paths: [] })),
  fc
    .oneof(fc.string(), fc.constantFrom('1234567890123456789', '"', '\\', '\\"', '{"a":1234567890123456789,', '\\\\'))
    .map((text): Written => ({ json: JSON.stringify(text), paths: [] })),
)
const below = (key: string, { paths }: Written): string[][] => paths.map((path) => [key, ...path])
const written = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }).map((members) => ({
      json: `[ ${members.map(({ json }) => json).join(' ,')}]`,
      paths: members.flatMap((member, at) => below(String(at), member)),
    })),
    fc.array(fc.tuple(fc.constantFrom('a', '1', 'b\\c', '"', ''), tie('value')), { maxLength: 4 }).map((members) => ({
      json: `{${members.map(([key, { json }]) => `${JSON.stringify(key)} : ${json}`).join(',\n')} }`,
      paths: members.flatMap(([key, member]) => below(key, member)),
    })),
  ),
})).value

test('each unsafe integer is found at its path, and nothing else is', () => {
  fc.assert(
    fc.property(written, ({ json, paths }) => {
      expect(pathsIn(json)).toEqual(paths.map((path) => path.join('.')))
    }),
    { numRuns: 500 },
  )
})

test('a body with many is refused with the first 50 and the number of the others', () => {
  const json = `{"ids":[${Array.from({ length: 60 }, () => '1234567890123456789').join(',')}]}`
  expect(() => parseJson(json)).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      detail:
        'ids.0 is an integer that JSON numbers do not keep exactly (beyond ±9007199254740991): send it as a string.',
      errors: Array.from({ length: 50 }, (_, at) =>
        expect.objectContaining({ path: `ids.${at}`, code: 'unsafe_integer' }),
      ),
      errorsOmitted: 10,
    }),
  )
  expect(parseJson('{"id":"1234567890123456789"}')).toEqual({ id: '1234567890123456789' })
})

test('security 32: one at depth 400,000 is refused, and its path is short', () => {
  const json = `${'['.repeat(400_000)}1234567890123456789${']'.repeat(400_000)}`
  expect(() => parseJson(json)).toThrow(expect.objectContaining({ code: 'validation_failed' }))
  expect(pathsIn(json)[0]?.length).toBeLessThan(200)
})

test('a path is compared with names as they are read, not as they are written', () => {
  const [places = []] = unsafeIntegers(String.raw`{"par\u0061ms":{"arguments":{"id":1234567890123456789}}}`)
  expect(isBelow(places, ['params', 'arguments'])).toBe(true)
  expect(isBelow(places, ['params', 'arguments', 'id', 'more'])).toBe(false)
  expect(isBelow(places, ['params', '_meta'])).toBe(false)
})
