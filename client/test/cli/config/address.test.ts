import { expect, test } from 'vitest'
import { readAddress } from '../../../src/cli/config/address.ts'

test.each([
  ['https://recollect.example.com', 'https://recollect.example.com'],
  ['https://recollect.example.com/', 'https://recollect.example.com'],
  ['https://example.com/memory//', 'https://example.com/memory'],
  ['http://localhost:8787', 'http://localhost:8787'],
  ['http://127.0.0.1:8787/', 'http://127.0.0.1:8787'],
  ['http://[::1]:8787', 'http://[::1]:8787'],
])('%s', (text, address) => {
  expect(readAddress(text)).toBe(address)
})

test.each([
  '',
  'recollect.example.com',
  'ftp://example.com',
  'https://user:pass@example.com',
  'https://example.com/?a=1',
  'https://example.com/#a',
])('%j is refused', (text) => {
  expect(() => readAddress(text)).toThrow(/is not a valid address|cannot have a user/)
})

test.each(['http://example.com', 'http://10.0.0.1', 'http://localhost.example.com', 'http://127.0.0.1.example.com'])(
  'security 72: no credential goes to %s, which is not encrypted',
  (text) => {
    expect(() => readAddress(text)).toThrow('not encrypted')
  },
)
