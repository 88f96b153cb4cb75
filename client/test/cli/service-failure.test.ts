import { expect, test } from 'vitest'
import { ConnectionError, errorOf, problemOf, TimeoutError } from '../../src/errors.ts'
import { Failure } from '../../src/cli/failure.ts'
import { toFailure } from '../../src/cli/service-failure.ts'

const BASE = 'https://a.example'
const problem = (status: number, code: string, more: object = {}) => ({
  ...problemOf(code, 'It failed.', status),
  request_id: 'req_1',
  ...more,
})

test('a refusal keeps its code, and names each fault once', () => {
  const errors = [
    { path: 'ttl', code: 'invalid', message: 'A whole number.' },
    { path: 'tags', code: 'invalid', message: 'At most 32.' },
  ]
  const refused = problem(422, 'validation_failed', { detail: 'ttl: A whole number.', errors })
  const failure = toFailure(errorOf(refused), BASE)
  expect(failure).toBeInstanceOf(Failure)
  expect(failure).toMatchObject({
    exit: 7,
    code: 'validation_failed',
    requestId: 'req_1',
    message: 'ttl: A whole number.\n  tags: At most 32.',
  })
})

test.each([
  [401, 'invalid_token', 3, 'Log in again: recollect login'],
  [403, 'insufficient_scope', 4, 'Use a key that has this scope.'],
  [429, 'rate_limited', 8, 'Wait a moment.'],
  [503, 'dependency_unavailable', 9, null],
  [308, 'redirected', 2, 'Use that address with --url, and log in there.'],
])('%i %s', (status, code, exit, hint) => {
  expect(toFailure(errorOf(problem(status, code)), BASE)).toMatchObject({ exit, hint })
})

test('without an answer it says which service, and how', () => {
  const cause = new TypeError('fetch failed')
  expect(
    toFailure(new ConnectionError(problemOf('connection_failed', 'The connection failed.'), null, cause), BASE),
  ).toMatchObject({ exit: 9, message: `${BASE} cannot be reached.` })
  expect(toFailure(new TimeoutError(problemOf('timed_out', 'Too late.')), BASE)).toMatchObject({
    exit: 9,
    message: `${BASE} did not respond in time.`,
  })
})

test('what is no failure of a call stays what it is', () => {
  const fault = new TypeError('a fault of ours')
  expect(toFailure(fault, BASE)).toBe(fault)
})
