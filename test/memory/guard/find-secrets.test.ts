import { expect, test } from 'vitest'
import { findSecrets } from '../../../src/memory/guard/find/find-secrets.ts'
import { findIn } from '../../../src/memory/guard/find/find-in.ts'
import { Seeded } from '../../support/secrets/random.ts'
import { score } from '../../support/secrets/score.ts'
import { makeSecret, VENDORS } from '../../support/secrets/secrets.ts'

test.each([1, 2, 3, 4])('secrets are told from look-alikes, seed %i (contract §3)', (seed) => {
  const { precision, recall, byGroup, missed, wrong } = score(seed)
  expect(recall, missed.join('\n')).toBeGreaterThanOrEqual(0.95)
  expect(precision, wrong.join('\n')).toBeGreaterThanOrEqual(0.98)
  for (const [group, { made, found }] of byGroup) expect(found / made, group).toBeGreaterThanOrEqual(0.95)
})

test('every vendor token is found at the ends of a text, in quotes, behind an escape and at the end of a sentence', () => {
  const r = new Seeded(7)
  for (const make of VENDORS) {
    const token = make(r)
    for (const [before, after] of [
      ['', ''],
      ['"', '"'],
      ['=', '\n'],
      ['line\\n', '\\n'],
      ['?key%3D', '&x=1'],
      ['It is ', '.'],
    ]) {
      const text = `${before}${token}${after}`
      const [found, ...more] = findSecrets(text)
      expect(more, text).toEqual([])
      expect(found && text.slice(found.start, found.end), text).toContain(token.slice(-8))
      expect(found && text.slice(found.end), text).toBe(after)
    }
  }
})

test('only the password of a connection string is the secret, and only the token of a header', () => {
  const r = new Seeded(3)
  const [password, token] = [r.chars(16), r.chars(32)]
  const text = `postgres://app:${password}@db.internal/app and Authorization: Bearer ${token}`
  expect(findSecrets(text).map(({ start, end, kind }) => [kind, text.slice(start, end)])).toEqual([
    ['connection_string', password],
    ['bearer_token', token],
  ])
})

test('a password may have an @, and a user none', () => {
  const text = 'redis://:p@ss-w0rld@cache:6379/0'
  expect(findSecrets(text).map(({ start, end }) => text.slice(start, end))).toEqual(['p@ss-w0rld'])
})

test('a private key that was cut off ends with its last line', () => {
  const { written } = makeSecret(new Seeded(11), 0)
  const cut = written.slice(0, 400)
  const [found] = findSecrets(`${cut}\n\nThe rest is in the vault.`)
  expect(found?.kind).toBe('private_key')
  expect(found?.end).toBeLessThanOrEqual(cut.length)
})

test('a text cannot switch the guard off (contract §3)', () => {
  const token = VENDORS[4]?.(new Seeded(5)) ?? ''
  expect(findSecrets(`/* secretlint-disable */ ${token} // secretlint-disable-line`)).toHaveLength(1)
})

test('short texts and texts without anything are passed over', () => {
  expect(findSecrets('')).toEqual([])
  expect(findSecrets('The kettle is blue.')).toEqual([])
})

const LENGTH = 65_536
test.each([
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN RSA PRIVATE KEY-----\n' + 'A'.repeat(31),
  'Private-Lines: 14\n',
  'LS0tLS1CRUdJTi',
  '://a:',
  'x://a:b ',
  'ghs_1_',
  'sk-',
  'eyJ.',
  'Bearer ',
  'Basic aaaa',
  'a=b;Password=x;',
  'host=a password=x ',
  'secret_access_key ',
  'abandon ability ',
  'DE89 ',
  '4111 ',
  '123456789:AA',
  'Maaaaaaaaaaaaaaaaaaaaaaaa.',
  '\\',
  '%3D',
])('a text of nothing but %j is read once, and holds nothing', (part) => {
  expect(findSecrets(part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH))).toEqual([])
})

test('of two that overlap nothing is left over, and a number within a secret is part of it', () => {
  const r = new Seeded(11)
  const token = `sk-${r.chars(24)}.${r.chars(20)}`
  const [found] = findSecrets(`Authorization: Bearer ${token}`)
  expect(found?.end).toBe(`Authorization: Bearer ${token}`.length)
  const card = '4539148803436467'
  expect(findIn(`Server=db;User Id=app;Password=${card}${r.chars(4)};`).map(({ category }) => category)).toEqual([
    'secrets',
  ])
  expect(findIn(`Card ${card}.`).map(({ category }) => category)).toEqual(['cards'])
})

test.each([
  're_run_integration_tests_2024_06',
  'api-3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  'postgres://postgres:mysecretpassword@localhost/postgres',
  'postgresql://johndoe:randompassword@localhost:5432/mydb',
])('%s holds no secret', (text) => {
  expect(findSecrets(text)).toEqual([])
})
