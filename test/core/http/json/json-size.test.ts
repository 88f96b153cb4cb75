import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_JSON_DEPTH, MAX_JSON_MEMBERS, refuseLargeJson } from '../../../../src/core/http/json/json-size.ts'
import { fastest } from '../../../support/speed.ts'

const faultOf = (json: string): string | null => {
  try {
    refuseLargeJson(json, 'The body')
    return null
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_json', status: 400 })
    return error instanceof Error ? error.message : ''
  }
}
const deep = (depth: number, inside = ''): string => '['.repeat(depth) + inside + ']'.repeat(depth)
const list = (count: number, member: string): string => `[${`${member} , `.repeat(count - 1)}${member}]`

test('100 levels are read, the 101st is refused', () => {
  expect(faultOf(deep(MAX_JSON_DEPTH))).toBeNull()
  expect(faultOf(deep(MAX_JSON_DEPTH + 1))).toBe('The body is deeper than 100 levels.')
  expect(faultOf(`[${deep(99)},${deep(99)}]`)).toBeNull()
  expect(faultOf('{"a":'.repeat(101))).toBe('The body is deeper than 100 levels.')
})

test.each(['0', '""', '{}', '[]', 'null', String.raw`"\","`, '[ ]'])(
  '250,000 members %s are read, one more is refused',
  (member) => {
    expect(faultOf(list(MAX_JSON_MEMBERS, member))).toBeNull()
    expect(faultOf(list(MAX_JSON_MEMBERS + 1, member))).toBe('The body has more than 250000 members.')
  },
)

test('members of members count', () => {
  expect(faultOf(list(MAX_JSON_MEMBERS / 2, '{"a":1}'))).toBeNull()
  expect(faultOf(list(MAX_JSON_MEMBERS / 2, '{"a":1,"b":2}'))).toBe('The body has more than 250000 members.')
})

const membersOf = (value: unknown): number =>
  value !== null && typeof value === 'object'
    ? Object.values(value).reduce<number>((sum, member) => sum + 1 + membersOf(member), 0)
    : 0

test('it counts what the parser finds', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1), (value, space) => {
      const rest = MAX_JSON_MEMBERS - membersOf(value) - 1
      const filled = (more: number) => `[${'0,'.repeat(rest + more)}${JSON.stringify(value, null, space)}]`
      expect(faultOf(filled(0))).toBeNull()
      expect(faultOf(filled(1))).not.toBeNull()
    }),
    { numRuns: 20 },
  )
})

test('text that is no JSON is left to the parser', () => {
  for (const text of ['', '"', '"\\', ']]]]', '{"a', '\\"[[', `"${'['.repeat(1_000)}`]) expect(faultOf(text)).toBeNull()
})

test('security 34: 16 MiB are counted fast', async () => {
  const size = 16 * 1024 * 1024
  for (const json of [
    `"${'x'.repeat(size)}"`,
    `"${String.raw`\"`.repeat(size / 2)}"`,
    ' '.repeat(size),
    '['.repeat(size),
  ])
    expect(await fastest(2_000, () => faultOf(json))).toBeLessThan(2_000)
})
