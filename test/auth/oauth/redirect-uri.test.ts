import { expect, test } from 'vitest'
import {
  formTargets,
  isNativeRedirectUri,
  isOnThisComputer,
  isRedirectUri,
  isRegistered,
  redirectTo,
} from '../../../src/auth/oauth/redirect-uri.ts'

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

const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback'

test.each([
  ['https://client.example/callback', true],
  ['http://localhost/callback', true],
  ['http://127.0.0.1:33418/', true],
  ['http://[::1]:8787/callback', true],
  [CURSOR, true],
  ['vscode://saoudrizwan.claude-dev/mcp-auth/callback', true],
  ['vscode-insiders://publisher.name/callback?x=1', true],
  ['com.example.agent:/oauth', true],
  ['com.example.agent://oauth/callback', true],
  ['com.googleusercontent.apps.1-x:/oauthredirect', true],
  ['CURSOR://anysphere.cursor-mcp/oauth/callback', false],
  ['vscode:', false],
  ['vscode://user:secret@publisher.name/callback', false],
  ['vscode://publisher.name/a/../callback', false],
  ['vscode://publisher.name/callback#x', false],
  ['vscode://publisher.name/call back', false],
  ['com.example.agent:/bücher', false],
  [`com.example.agent:/${'a'.repeat(2_000)}`, false],
  ['unknown://callback', false],
  ['.example:/callback', false],
  ['http://127.0.0.2/callback', false],
  ['http://127.1/callback', false],
  ['http://localhost.evil.example/callback', false],
  ['http://localhost@evil.example/callback', false],
  ['http://0.0.0.0/callback', false],
  ['javascript:alert(1)', false],
  ['javascript://com.example/%0Aalert(1)', false],
  ['JAVASCRIPT:alert(1)', false],
  ['java\tscript:alert(1)', false],
  ['vbscript:x.y', false],
  ['data:text/html,a.b', false],
  ['blob:https://a.example/1', false],
  ['file:///etc/passwd.txt', false],
  ['filesystem:https://a.example/x', false],
  ['about:blank', false],
  ['view-source:https://a.example/', false],
  ['ws://a.example/', false],
  ['ftp://a.example/', false],
  ['mailto:a@b.example', false],
  ['intent://a.example#Intent;end', false],
])('a public application without an owner may have %s: %s', (uri, may) => {
  expect(isNativeRedirectUri(uri)).toBe(may)
})

test.each([
  ['http://127.0.0.1:50123/', ['http://127.0.0.1/'], true],
  ['http://127.0.0.1:50123/', ['http://127.0.0.1:33418/'], true],
  ['http://localhost:3118/callback', ['http://localhost/callback'], true],
  ['http://[::1]:1/callback?a=b', ['http://[::1]/callback?a=b'], true],
  [CURSOR, [CURSOR], true],
  ['http://127.0.0.1:50123/', ['http://localhost/'], false],
  ['http://localhost:3118/callback', ['http://127.0.0.1/callback'], false],
  ['http://localhost:3118/callback/', ['http://localhost/callback'], false],
  ['http://localhost:3118/callback?x=1', ['http://localhost/callback'], false],
  ['http://localhost:3118/Callback', ['http://localhost/callback'], false],
  ['http://localhost:3118/a/../callback', ['http://localhost/callback'], false],
  ['http://localhost:99999/callback', ['http://localhost/callback'], false],
  ['http://localhost:3118@evil.example/callback', ['http://localhost/callback'], false],
  ['http://localhost.evil.example:3118/callback', ['http://localhost/callback'], false],
  ['https://localhost:3118/callback', ['http://localhost/callback'], false],
  ['https://client.example:8443/callback', ['https://client.example/callback'], false],
])('RFC 8252 §7.3: %s is registered as %j: %s', (uri, registered, is) => {
  expect(isRegistered(uri, registered, true)).toBe(is)
  expect(isRegistered(uri, registered, false)).toBe(registered.includes(uri))
})

test.each([
  ['https://client.example/callback', ['https:'], false],
  ['http://127.0.0.1:33418/', ['https:', 'http://127.0.0.1:33418'], true],
  ['http://localhost/callback', ['https:', 'http://localhost'], true],
  ['http://[::1]:8787/callback', ['https:', 'http:'], true],
  [CURSOR, ['cursor:'], true],
])('the policy for %s names %j', (uri, targets, onThisComputer) => {
  expect(formTargets(uri)).toEqual(targets)
  expect(isOnThisComputer(uri)).toBe(onThisComputer)
})
