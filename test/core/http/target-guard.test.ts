import { expect, test } from 'vitest'
import { addressFault, resolvedFault, urlFault } from '../../../src/core/http/target-guard.ts'

const fault = (url: string) => urlFault(url, ['recollect.example', 'api.recollect.example'], false)

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:a00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://169.254.169.254/latest/meta-data',
  'https://168.63.129.16/',
  'https://[::7f00:1]/',
  'https://[::a9fe:a9fe]/',
  'https://[fec0::1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[100::1]/',
  'https://[2001::1]/',
  'https://[2001:10::1]/',
  'https://[2001:20::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[4000::1]/',
  'https://[5f00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[ff02::1]/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://intranet/',
  'https://intranet./',
  'https://printer.local/',
  'https://db.internal/',
  'https://metadata.google.internal/',
  'https://router.home.arpa/',
])('security 36: %s is refused', (url) => {
  expect(fault(url)).toBe('private_target')
})

test.each([
  ['http://example.com/', 'https_required'],
  ['ftp://example.com/', 'invalid_url'],
  ['file:///etc/passwd', 'invalid_url'],
  ['javascript:alert(1)', 'invalid_url'],
  ['not a url', 'invalid_url'],
  ['https://', 'invalid_url'],
  ['https://user@example.com/', 'user_info'],
  ['https://user:pass@example.com/', 'user_info'],
  ['https://api.recollect.example/api/events/publish', 'own_service'],
  ['https://API.Recollect.example:8443/', 'own_service'],
  ['https://api.recollect.example./', 'own_service'],
  ['https://recollect.example/', 'own_service'],
])('security 36: %s is refused as %s', (url, expected) => {
  expect(fault(url)).toBe(expected)
})

test.each([
  'https://example.com/hook',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
  'https://[2001:4860:4860::8888]/',
  'https://[2a00:1450::1]/',
  'https://a.b.example:8443/x?y',
])('%s is allowed', (url) => {
  expect(fault(url)).toBeNull()
})

test('ALLOW_PRIVATE_WEBHOOKS allows private targets and plain http, but not user info', () => {
  expect(urlFault('http://127.0.0.1:9000/', [], true)).toBeNull()
  expect(urlFault('http://u:p@127.0.0.1:9000/', [], true)).toBe('user_info')
  expect(urlFault('gopher://x/', [], true)).toBe('invalid_url')
})

const resolver = (...addresses: string[]) => ({ addresses: async () => addresses })

test('security 36: a name that resolves into a private network is refused, even among public addresses', async () => {
  expect(await resolvedFault('https://a.example/', resolver('93.184.215.14'), false)).toBeNull()
  expect(await resolvedFault('https://a.example/', resolver('127.0.0.1'), false)).toBe('private_target')
  expect(await resolvedFault('https://a.example/', resolver('93.184.215.14', '10.0.0.1'), false)).toBe('private_target')
  expect(await resolvedFault('https://a.example/', resolver('::ffff:10.0.0.1'), false)).toBe('private_target')
  expect(addressFault('garbage')).toBe('private_target')
})

test('a name without an answer throws, so that the attempt is postponed', async () => {
  await expect(resolvedFault('https://a.example/', resolver(), false)).rejects.toThrow('no address')
})
