import { expect, test } from 'vitest'
import { agentClients } from '../../../src/portal/agents/clients.ts'

const URL_OF_MCP = 'https://memory.example/mcp'
const clients = agentClients(URL_OF_MCP)
const named = (name: string) => clients.find((client) => client.name === name)

test('each agent has the address in what it is given, and each that takes a key has a place for it', () => {
  for (const { name, signIn, key } of clients) {
    expect(signIn.text, name).toContain(URL_OF_MCP)
    expect(signIn.text, name).not.toContain('rck_')
    expect(key === null || /Authorization|bearer_token_env_var/.test(key.text), name).toBe(true)
  }
  expect(clients.filter(({ key }) => key === null).map(({ name }) => name)).toEqual(['Claude', 'ChatGPT'])
})

test('what goes into a JSON file is JSON', () => {
  const files = clients
    .flatMap(({ signIn, key }) => [signIn, ...(key ? [key] : [])])
    .filter(({ text }) => text[0] === '{')
  expect(files).toHaveLength(6)
  for (const { text } of files) expect(() => JSON.parse(text)).not.toThrow()
})

test('the install links hold the address as Cursor and VS Code read it', () => {
  const cursor = new URL(named('Cursor')?.button?.href ?? '')
  expect([cursor.protocol, cursor.host, cursor.pathname]).toEqual([
    'cursor:',
    'anysphere.cursor-deeplink',
    '/mcp/install',
  ])
  expect(cursor.searchParams.get('name')).toBe('recollect')
  expect(JSON.parse(atob(cursor.searchParams.get('config') ?? ''))).toEqual({ url: URL_OF_MCP })
  const [start, configuration = ''] = named('VS Code')?.button?.href.split('?') ?? []
  expect(start).toBe('vscode:mcp/install')
  expect(JSON.parse(decodeURIComponent(configuration))).toEqual({ name: 'recollect', type: 'http', url: URL_OF_MCP })
})
