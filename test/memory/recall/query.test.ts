import { expect, test } from 'vitest'
import { codePoints } from '../../../src/core/values/code-points.ts'
import { MAX_QUERY_CHARACTERS, queryOf } from '../../../src/memory/recall/query.ts'

const user = (text: string) => ({ role: 'user', text })
const assistant = (text: string) => ({ role: 'assistant', text })

test('the last message of the user asks', () => {
  const long = 'Which drug am I allergic to according to my doctor?'
  expect(queryOf([user('My dog is a beagle.'), assistant('Lovely.'), user(long), assistant('One moment.')])).toBe(long)
})

test('with few content words it leans on the one before', () => {
  expect(queryOf([user('Where does my sister live?'), assistant('In Porto.'), user('And my brother?')])).toBe(
    'Where does my sister live?\nAnd my brother?',
  )
  expect(queryOf([user('And my brother?')])).toBe('And my brother?')
})

test('a user who says nothing asks nothing', () => {
  expect(queryOf([])).toBeNull()
  expect(queryOf([assistant('Hello.'), user('  ')])).toBeNull()
})

test('of a longer message its beginning and its end ask, and a pair of units is one character', () => {
  const half = MAX_QUERY_CHARACTERS / 2
  const query = queryOf([user(`begin ${'😀'.repeat(5_000)} end`)]) ?? ''
  expect(query).toBe(`begin ${'😀'.repeat(half - 6)}${'😀'.repeat(half - 4)} end`)
  expect(codePoints(query)).toBe(MAX_QUERY_CHARACTERS)
  const whole = '😀'.repeat(MAX_QUERY_CHARACTERS)
  expect(queryOf([user(whole)])).toBe(whole)
})
