import { expect, test } from 'vitest'
import { isRedirectUri, redirectTo } from '../../../src/auth/oauth/redirect-uri.ts'

test.each([
  'https://client.example',
  'https://client.example/',
  'https://client.example/callback?tenant=1',
  'https://client.example:8443/callback',
  'https://xn--bcher-kva.example/callback',
  'https://client.example/a%20b',
])('%s may be registered', (uri) => {
  expect(isRedirectUri(uri, false)).toBe(true)
})

test.each([
  'http://client.example/callback',
  'https://client.example/callback#',
  'https://client.example/callback#fragment',
  'https://user@client.example/callback',
  'https://user:secret@client.example/callback',
  'https://CLIENT.example/callback',
  'HTTPS://client.example/callback',
  'https://client.example:443/callback',
  'https://client.example/a/../callback',
  'https://client.example/a/%2e%2e/callback',
  'https://client.example\\callback',
  'https://client.example/\tcallback',
  'https://client.example/\r\ncallback',
  ' https://client.example/callback',
  'https://client.example/callback ',
  'https:///client.example',
  'https://',
  'https://*.client.example/callback',
  'https://bücher.example/callback',
  'javascript:alert(1)',
  'data:text/html,hello',
  'com.example.app:/callback',
  '//client.example/callback',
  '/callback',
  '',
  `https://client.example/${'a'.repeat(2_000)}`,
])('%j may not be registered', (uri) => {
  expect(isRedirectUri(uri, true)).toBe(false)
})

test.each(['http://localhost:3000/callback', 'http://127.0.0.1:3000/callback', 'http://[::1]:3000/callback'])(
  '%s only where loopback is allowed',
  (uri) => {
    expect([isRedirectUri(uri, true), isRedirectUri(uri, false)]).toEqual([true, false])
  },
)

test('the answer is added to a query that the URI already has', () => {
  expect(redirectTo('https://a.example/cb', { code: 'c', state: undefined })).toBe('https://a.example/cb?code=c')
  expect(redirectTo('https://a.example/cb?x=1', { code: 'c' })).toBe('https://a.example/cb?x=1&code=c')
  expect(redirectTo('https://a.example/cb?', { code: 'c d+' })).toBe('https://a.example/cb?code=c%20d%2B')
})
