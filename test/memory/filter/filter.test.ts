import { expect, test } from 'vitest'
import { Filters } from '../../../src/memory/filter/filter.ts'
import { filterSql } from '../../../src/memory/filter/filter-sql.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'
import { fastest } from '../../support/speed.ts'

const faults = (value: unknown): [string, unknown][] => {
  const parsed = Filters.safeParse(value)
  if (parsed.success) return []
  return parsed.error.issues.map((issue) => [
    issue.path.join('.'),
    issue.code === 'custom' ? issue.params?.['code'] : issue.code,
  ])
}

const nested = (depth: number): unknown => (depth === 0 ? { tags: ['a'] } : { AND: [nested(depth - 1)] })

test.each<[string, unknown, [string, string | undefined][]]>([
  ['an unknown field', { colour: 'red' }, [['colour', 'unknown_field']]],
  ['an unknown field deep inside', { OR: [{ NOT: { colour: 1 } }] }, [['OR.0.NOT.0.colour', 'unknown_field']]],
  ['project_id, which is no filter', { project_id: 'prj_x' }, [['project_id', 'unknown_field']]],
  ['an unknown operator', { created_at: { '!=': '2026-01-01T00:00:00Z' } }, [['created_at', 'invalid_filter']]],
  ['no operator', { created_at: {} }, [['created_at', 'invalid_filter']]],
  ['an instant that is none', { created_at: { '>': 'yesterday' } }, [['created_at.>', 'invalid_filter']]],
  ['an unknown status', { embedding_status: 'done' }, [['embedding_status', 'invalid_filter']]],
  ['tags_match alone', { tags_match: 'all' }, [['tags_match', 'invalid_filter']]],
  ['an unknown tags_match', { tags: ['a'], tags_match: 'some' }, [['tags_match', 'invalid_filter']]],
  ['no tags', { tags: [] }, [['tags', 'invalid_filter']]],
  ['an empty AND', { AND: [] }, [['AND', 'invalid_filter']]],
  ['AND over something else', { AND: { tags: ['a'] } }, [['AND', 'invalid_filter']]],
  ['a comparison with a boolean', { 'metadata.a': { '>': true } }, [['metadata.a', 'invalid_filter']]],
  ['a list to be equal to', { 'metadata.a': ['b'] }, [['metadata.a', 'invalid_filter']]],
  ['a list among values', { 'metadata.a': { in: ['b', ['c']] } }, [['metadata.a', 'invalid_filter']]],
  ['an object among values', { 'metadata.a': { in: [{ b: 1 }] } }, [['metadata.a', 'invalid_filter']]],
  ['a comparison with a list', { 'metadata.a': { '>': [1] } }, [['metadata.a', 'invalid_filter']]],
  ['a backslash that escapes no dot', { [String.raw`metadata.a\b`]: 1 }, [[String.raw`metadata.a\b`, 'invalid_path']]],
  ['a backslash before a dot', { [String.raw`metadata.a\\.b`]: 1 }, [[String.raw`metadata.a\\.b`, 'invalid_path']]],
  ['an object to be equal to', { 'metadata.a': { b: 1 } }, [['metadata.a', 'invalid_filter']]],
  [
    '__proto__ beside a comparison',
    { 'metadata.a': JSON.parse('{">": 1, "__proto__": 2}') },
    [['metadata.a', 'invalid_filter']],
  ],
  ['an empty path', { 'metadata.': 1 }, [['metadata.', 'invalid_path']]],
  ['a path that would end its quotes', { 'metadata.a"b': 1 }, [['metadata.a"b', 'invalid_path']]],
  ['depth 5', nested(5), [['AND.0.AND.0.AND.0.AND.0.AND', 'too_deep']]],
  ['an array', [], [['', undefined]]],
])('refused: %s', (_, value, expected) => {
  expect(faults(value)).toEqual(expected)
})

test('depth 4 and 32 conditions are accepted, the 33rd is refused once', () => {
  expect(faults(nested(4))).toEqual([])
  const many = (count: number) => ({ OR: Array.from({ length: count }, (_, at) => ({ [`metadata.k${at}`]: at })) })
  expect(faults(many(32))).toEqual([])
  expect(faults({ AND: [many(32), { tags: ['x'] }] })).toEqual([['AND.1.tags', 'too_big']])
})

test('security 54: a filter has at most 256 values in all; the condition with the 257th is reported, once', () => {
  const tags = (count: number) => Array.from({ length: count }, (_, at) => `tag ${at}`)
  expect(faults({ tags: tags(256) })).toEqual([])
  expect(faults({ tags: tags(257) })).toEqual([['tags', 'invalid_filter']])
  const more = [{ custom_id: 'a' }, { 'metadata.a': { '>': 1 } }, { created_at: { '>': '2026-01-01T00:00:00Z' } }]
  expect(faults({ AND: [{ tags: tags(200) }, { 'metadata.b': { in: tags(53) } }, ...more] })).toEqual([])
  expect(faults({ AND: [{ tags: tags(200) }, { 'metadata.b': { in: tags(54) } }, ...more] })).toEqual([
    ['AND.4.created_at', 'too_big'],
  ])
  expect(faults({ AND: [{ tags: tags(200) }, { custom_id: { in: tags(57) } }, ...more] })).toEqual([
    ['AND.1.custom_id', 'too_big'],
  ])
})

test('a value and a metadata path have at most 256 characters', () => {
  const long = 'x'.repeat(256)
  const path = ['y'.repeat(127), 'y'.repeat(128)].join('.')
  expect(faults({ custom_id: long, 'metadata.a': { in: [long] }, [`metadata.${path}`]: { '>': long } })).toEqual([])
  expect(faults({ custom_id: `${long}x` })).toEqual([['custom_id', 'invalid_filter']])
  expect(faults({ 'metadata.a': { '>': `${long}x` } })).toEqual([['metadata.a.>', 'invalid_filter']])
  expect(faults({ [`metadata.${path}y`]: 1 })).toEqual([[`metadata.${path}y`, 'invalid_path']])
})

test('security 32: filters 10,000 deep or with 100,000 keys are refused fast', async () => {
  let deep: unknown = { tags: ['a'] }
  for (let at = 0; at < 10_000; at++) deep = { NOT: deep }
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at]))
  expect(faults(deep)).toHaveLength(1)
  expect(faults(wide).length).toBeLessThan(40)
  const refuse = () => [faults(deep), faults(wide)]
  expect(await fastest(1_000, refuse)).toBeLessThan(1_000)
})

const user = await newTenant()
const ctx = ctxOf(user)
const at = system.now()
for (const [name, more] of Object.entries({
  a: {
    tags: ['red', 'big'],
    content: { text: 'a', metadata: { n: 1, s: 'x', deep: { er: [1], t: true }, 'x.y': { 'z.': 1 } } },
    ttl: 1_000,
  },
  b: { tags: ['red'], content: { text: 'b', metadata: { n: 2.5, s: "'; drop table memory_items; --", null: null } } },
  c: { tags: ['blue'], content: { text: 'c', metadata: { n: '1', s: 'y', t: 1 } }, context: { conversation_id: 'c1' } },
  d: { content: { text: 'd' }, context: { document_id: '%', session_id: '_' } },
})) {
  await stored(ctx, name, { ...more, custom_id: name })
}

test.each<[string, unknown, string]>([
  ['nothing is everything', {}, 'abcd'],
  ['tags: any', { tags: ['red', 'blue'] }, 'abc'],
  ['tags: all', { tags: ['red', 'big'], tags_match: 'all' }, 'a'],
  ['custom_id', { custom_id: 'b' }, 'b'],
  ['custom_id in', { custom_id: { in: ['b', 'd', 'zz'] } }, 'bd'],
  ['conversation_id', { conversation_id: 'c1' }, 'c'],
  ['conversation_id null', { conversation_id: null }, 'abd'],
  ['null and a value', { conversation_id: { in: [null, 'c1'] } }, 'abcd'],
  ['% and _ mean themselves', { document_id: '%', session_id: '_' }, 'd'],
  ['_ matches nothing else', { custom_id: '_' }, ''],
  ['created_by', { created_by: user.userId }, 'abcd'],
  ['embedding_status', { embedding_status: 'completed' }, ''],
  ['created_at', { created_at: { '>=': new Date(at - 60_000).toISOString(), lt: '2100-01-01T00:00:00Z' } }, 'abcd'],
  ['an offset', { created_at: { gt: '2100-01-01T00:00:00+02:00' } }, ''],
  ['expires_at', { expires_at: { '<': '2100-01-01T00:00:00Z' } }, 'a'],
  ['NOT is the complement, null included', { NOT: { expires_at: { '<': '2100-01-01T00:00:00Z' } } }, 'bcd'],
  ['metadata: a number is not its text', { 'metadata.n': 1 }, 'a'],
  ['metadata: a text is not its number', { 'metadata.n': '1' }, 'c'],
  ['metadata: true is not 1', { 'metadata.t': 1 }, 'c'],
  ['metadata: a path', { 'metadata.deep.t': true }, 'a'],
  ['metadata: a list that contains the value', { 'metadata.deep.er': 1 }, 'a'],
  ['metadata: a list that does not contain it', { NOT: { 'metadata.deep.er': { in: ['1', null] } } }, 'a'],
  ['metadata: an object whose member has the value', { 'metadata.deep': true }, ''],
  ['metadata: a dot within a name', { [String.raw`metadata.x\.y.z\.`]: 1 }, 'a'],
  ['metadata: a dot between names', { 'metadata.x.y': { in: [null, 1] } }, 'abcd'],
  ['metadata: in', { 'metadata.s': { in: ['x', 'y', 7] } }, 'ac'],
  ['metadata: compares numbers with numbers only', { 'metadata.n': { '>=': 1 } }, 'ab'],
  ['metadata: compares texts with texts only', { 'metadata.n': { '>=': '0' } }, 'c'],
  ['metadata: a range', { 'metadata.n': { '>': 1, '<=': 2.5 } }, 'b'],
  ['metadata: null is null or absent', { 'metadata.s': null }, 'd'],
  ['metadata: quotes are only text', { 'metadata.s': "'; drop table memory_items; --" }, 'b'],
  ['metadata: names of prototypes are only names', { 'metadata.__proto__.x': 1 }, ''],
  ['AND', { AND: [{ tags: ['red'] }, { 'metadata.n': { '>': 1 } }] }, 'b'],
  ['OR', { OR: [{ custom_id: 'a' }, { custom_id: 'd' }] }, 'ad'],
  ['NOT of a list: none of them', { NOT: [{ custom_id: 'a' }, { custom_id: 'd' }] }, 'bc'],
  ['all members must hold', { tags: ['red'], NOT: { tags: ['big'] } }, 'b'],
])('matches: %s', async (_, value, expected) => {
  const { sql, params } = filterSql(Filters.parse(value))
  const rows = await db.all<{ custom_id: string }>(
    `select custom_id from memory_items i where i.project_id = :project and ${sql} order by custom_id`,
    { project: user.projectId, ...params },
  )
  expect(rows.map((row) => row.custom_id).join('')).toBe(expected)
})

test('security 31: nothing that a client sends becomes SQL', () => {
  const hostile = `') or 1=1 --`
  const { sql } = filterSql(
    Filters.parse({
      custom_id: hostile,
      tags: [hostile],
      [`metadata.${hostile.replace('.', '')}`]: hostile,
      NOT: { 'metadata.x': { in: [hostile] } },
    }),
  )
  expect(sql).not.toContain('1=1')
})

test('every filter that is accepted is SQL that D1 runs', async () => {
  const leaf = { tags: ['a'], 'metadata.a.b': { '>': 1, '<': 2, gte: 'a', lte: 'b' }, custom_id: { in: ['a', null] } }
  const widest = { AND: [{ OR: [{ NOT: [{ AND: [leaf, leaf, leaf, leaf, leaf, leaf, leaf, leaf] }] }] }] }
  const { sql, params } = filterSql(Filters.parse(widest))
  await expect(db.all(`select 1 from memory_items i where ${sql}`, params)).resolves.toBeDefined()
})
