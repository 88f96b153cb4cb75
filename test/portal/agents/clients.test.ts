import { parse as parseToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import mcpPage from '../../../docs/mcp.md?raw'
import { agentClients, type Snippet } from '../../../src/portal/agents/clients.ts'
import { MCP_URL, RECORDINGS, type Recording } from './recordings.ts'

const clients = agentClients(MCP_URL)
const named = (name: string) => clients.find((client) => client.name === name)

test('each agent has its recording', () => {
  expect(clients.map(({ name }) => name)).toEqual(RECORDINGS.map(({ agent }) => agent))
})

/** The words of a command, as a POSIX shell reads those that are shown. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')

function contentOf(file: string, text: string): unknown {
  if (file.endsWith('.toml')) return parseToml(text)
  return file.endsWith('.yaml') ? parseYaml(text) : JSON.parse(text)
}

/** What an agent reads of a snippet, in the form of its recording. */
function readAs(recorded: Recording['signIn'], { label, text }: Snippet): Recording['signIn'] {
  if ('address' in recorded) return { address: text }
  if ('commands' in recorded) return { commands: text.replaceAll('\\\n', ' ').split('\n').map(wordsOf) }
  return { file: label.slice(0, recorded.file.length), content: contentOf(recorded.file, text) }
}

test.each(RECORDINGS)('$agent reads what it is given', ({ agent, signIn, key }) => {
  const client = named(agent)
  if (!client) throw new Error(`${agent} is missing`)
  expect(readAs(signIn, client.signIn)).toEqual(signIn)
  expect(client.key && key ? readAs(key, client.key) : client.key).toEqual(key)
})

test('signing in needs no key', () => {
  for (const { name, signIn } of clients) expect(signIn.text, name).not.toContain('rck_')
})

test('docs/mcp.md shows how each agent signs in, and how one sends a key', () => {
  const blocks = [...mcpPage.matchAll(/^```\w*\n([^]*?)\n```$/gm)].map(([, text]) => text)
  const addresses = clients.filter(({ hosted }) => hosted).map(({ signIn }) => signIn.text)
  for (const address of addresses)
    expect(mcpPage).toContain(` takes \`${address.replace('https://recollect.example', '{base}')}\``)
  for (const { name, signIn, hosted } of clients) expect(hosted || blocks.includes(signIn.text), name).toBe(true)
  expect(blocks).toContain(named('Any other')?.key?.text)
})

test('the install links hold the address as Cursor and VS Code read it', () => {
  const cursor = new URL(named('Cursor')?.button?.href ?? '')
  expect([cursor.protocol, cursor.host, cursor.pathname]).toEqual([
    'cursor:',
    'anysphere.cursor-deeplink',
    '/mcp/install',
  ])
  expect(cursor.searchParams.get('name')).toBe('recollect')
  expect(JSON.parse(atob(cursor.searchParams.get('config') ?? ''))).toEqual({ url: MCP_URL })
  const [start, configuration = ''] = named('VS Code')?.button?.href.split('?') ?? []
  expect(start).toBe('vscode:mcp/install')
  expect(JSON.parse(decodeURIComponent(configuration))).toEqual({ name: 'recollect', type: 'http', url: MCP_URL })
})
