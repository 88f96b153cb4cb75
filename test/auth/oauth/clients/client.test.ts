import { expect, test } from 'vitest'
import { isDocumentUrl } from '../../../../src/auth/oauth/clients/client.ts'

test.each([
  ['https://agent.example/client.json', true],
  ['https://agent.example:8443/oauth/client?v=2', true],
  [`https://agent.example/${'a'.repeat(1_978)}`, true],
  [`https://agent.example/${'a'.repeat(1_979)}`, false],
  ['https://agent.example/', false],
  ['https://agent.example', false],
  ['http://agent.example/client.json', false],
  ['https://agent.example/client.json#part', false],
  ['https://agent.example/client.json#', false],
  ['https://user@agent.example/client.json', false],
  ['https://user:secret@agent.example/client.json', false],
  ['https://agent.example/a/../client.json', false],
  ['https://agent.example/a/./client.json', false],
  ['https://agent.example/a/%2e%2e/client.json', false],
  ['https://AGENT.example/client.json', false],
  ['https://agent.example:443/client.json', false],
  ['ftp://agent.example/client.json', false],
  ['agent.example/client.json', false],
])('%s is the address of a metadata document: %s', (url, is) => {
  expect(isDocumentUrl(url, false)).toBe(is)
})
