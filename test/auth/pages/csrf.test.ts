import { expect, test } from 'vitest'
import { csrfToken, requireOwnForm, safeReturn } from '../../../src/auth/index.ts'

const own = 'https://recollect.test/portal/keys'
const form = (headers: Record<string, string>) => new Request(own, { method: 'POST', headers })

test('a form of this session and origin passes', async () => {
  const request = form({ Origin: 'https://recollect.test', 'Sec-Fetch-Site': 'same-origin' })
  await expect(requireOwnForm(request, 'session', await csrfToken('session'))).resolves.toBeUndefined()
})

test.each([
  ['without a token', {}, undefined],
  ['with a token of another session', {}, await csrfToken('another')],
  ['from a foreign Origin', { Origin: 'https://evil.test' }, await csrfToken('session')],
  ['from an opaque Origin', { Origin: 'null' }, await csrfToken('session')],
  ['from a sibling site', { 'Sec-Fetch-Site': 'same-site' }, await csrfToken('session')],
])('security 8: a form %s is refused', async (_, headers, token) => {
  await expect(requireOwnForm(form(headers), 'session', token)).rejects.toMatchObject({ code: 'forbidden' })
})

test.each([
  ['/portal/keys', '/portal/keys'],
  ['/auth/authorize?client_id=a&state=b', '/auth/authorize?client_id=a&state=b'],
  ['//evil.test', '/portal'],
  ['/\\evil.test', '/portal'],
  ['https://evil.test/', '/portal'],
  ['javascript:alert(1)', '/portal'],
  ['/%09/evil.test', '/%09/evil.test'],
  ['/\t/evil.test', '/portal'],
  ['/a\r\nSet-Cookie: x=y', '/portal'],
  ['/portal\\..\\x', '/portal'],
  ['/.//evil.test', '/portal'],
  ['/..//evil.test/a', '/portal'],
  ['/portal/..//evil.test', '/portal'],
  ['/%2e//evil.test', '/portal'],
  ['/portal/../keys?a=//b', '/keys?a=//b'],
  ['', '/portal'],
  [null, '/portal'],
])('security 9: return to %s goes to %s', (value, expected) => {
  expect(safeReturn(value, '/portal')).toBe(expected)
})
