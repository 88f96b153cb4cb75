import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { Database } from '../../../src/core/database/database.ts'
import { and, compile, joined, MAX_PARAMETERS, sql, statementOf } from '../../../src/core/database/sql.ts'

const db = new Database(env.DB)

test.each([
  ['a name', 'select :a', 'select +?1', ['a']],
  ['names in their order', 'select :b, :a', 'select +?1,+?2', ['b', 'a']],
  ['a name twice is one number', 'select :a, :b, :a', 'select +?1,+?2,+?1', ['a', 'b']],
  ['a name that begins another', 'select :a, :a_b', 'select +?1,+?2', ['a', 'a_b']],
  ['a name beside operators', "x=:a||':b'||(:c)", "x=+?1||':b'||(+?2)", ['a', 'c']],
  ['a quoted text', "select 'it''s :a?', :b", "select 'it''s :a?',+?1", ['b']],
  ['a quoted text of several lines', "select 'a\n  :b'", "select 'a\n  :b'", []],
  ['quoted names', 'select ":a", `:b`, [:c?], :d', 'select ":a",`:b`,[:c?],+?1', ['d']],
  ['a comment', 'select 1 -- :a?\n, :b /* :c\n? */, 2', 'select 1  ,+?1  ,2', ['b']],
  ['two colons', 'select ::a, :b', 'select ::a,+?1', ['b']],
  ['a colon without a name', 'select : a', 'select : a', []],
  ['space beside signs', "a in ( 1 , 2 ) and b <= :c || '( '", "a in(1,2)and b<=+?1||'( '", ['c']],
  ['space between operators', 'a - -1 < b ->> :c', 'a - -1<b ->>+?1', ['c']],
  ['indentation', '\n  select :a\n    from b', ' select +?1 from b', ['a']],
])('compiles %s', (_, text, compiled, names) => {
  expect(compile(text)).toEqual({ sql: compiled, names })
})

test.each([
  ['a number', 'select ?1', /without a name/],
  ['a plain question mark', 'select ?', /without a name/],
  ['a capital letter', 'select :projectId', /:projectId has other characters/],
  ['a digit, which would join the number', 'select :a1', /:a1 has other characters/],
])('refuses %s', (_, text, message) => {
  expect(() => compile(text)).toThrow(message)
})

const manyNames = (count: number) =>
  Array.from({ length: count }, (_, at) => `:${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`)

test('a statement has as many parameters as D1 binds, and no more', async () => {
  const names = manyNames(MAX_PARAMETERS)
  const params = Object.fromEntries(names.map((name, at) => [name.slice(1), at]))
  const [row] = await db.all<Record<string, number>>(
    `select ${names.map((name) => `${name} as ${name.slice(1)}_`).join()}`,
    params,
  )
  expect(Object.values(row ?? {})).toEqual(Object.values(params))
  expect(() => compile(manyNames(MAX_PARAMETERS + 1).join())).toThrow('101 parameters')
})

test('a text is compiled once, and values go to their numbers', async () => {
  const text = 'select :b as b, :a as a, :b as again, :none as none'
  expect(statementOf(text)).toBe(statementOf(text))
  const params = { a: 1, b: 'two', none: null }
  expect(statementOf(text).values(params)).toEqual(['two', 1, null])
  expect(await db.first(text, params)).toEqual({ b: 'two', a: 1, again: 'two', none: null })
  expect(await db.first(text, { ...params, a: 3 })).toMatchObject({ a: 3 })
})

test('a name without a value fails in each run, a value without a name in the first', async () => {
  const params = { a: 1, other: 2 }
  await expect(db.all('select :a, :b', { a: 1 })).rejects.toThrow('no value for :b')
  await expect(db.all('select :a, :b')).rejects.toThrow('no value for :a')
  await expect(db.write('select :a', params)).rejects.toThrow('no :other in')
  expect(() => db.statement('select :a', params)).toThrow('no :other in')
})

test('conditions are joined with their values', async () => {
  const now = 5
  const both = and(
    sql('x > :low or x = :now', { low: 1, now }),
    sql('x < :high', { high: 3 }),
    sql('x <> :now', { now }),
  )
  expect(both).toEqual({
    sql: '(x > :low or x = :now) and (x < :high) and (x <> :now)',
    params: { low: 1, now: 5, high: 3 },
  })
  const values = 'with v(x) as (values (1), (2), (3))'
  expect(await db.all(`${values} select x from v where ${both.sql}`, both.params)).toEqual([{ x: 2 }])
  expect(and()).toEqual({ sql: '1', params: {} })
  expect(and(sql('a', {}))).toEqual({ sql: '(a)', params: {} })
})

test('a name has one value', () => {
  expect(joined({ a: 1, b: null }, { b: null, c: 2 })).toEqual({ a: 1, b: null, c: 2 })
  expect(() => joined({ status: 'open' }, { status: 'closed' })).toThrow(':status has two values')
  expect(() => and(sql('x = :x', { x: 1 }), sql('y = :x', { x: 2 }))).toThrow(':x has two values')
})

test('clients choose filters, so the isolate forgets the oldest of many texts', () => {
  const first = statementOf('select 0, 2')
  for (let n = 1; n <= 1_000; n++) statementOf(`select ${n}, 2`)
  expect(statementOf('select 1000, 2')).toBe(statementOf('select 1000, 2'))
  expect(statementOf('select 0, 2')).not.toBe(first)
})
