import { expect, test } from 'vitest'
import { TOOLS } from '../../src/mcp/tools/index.ts'
import { call, newTenant } from '../support/world.ts'

test('contract §7: /llms.txt tells an agent where to connect and which tools there are, without a credential', async () => {
  const { status, headers, text } = await call('GET', '/llms.txt')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text).toMatch(/^# Recollect\n/)
  expect(text).toContain('http://recollect.test/mcp')
  for (const { name } of TOOLS) expect(text).toContain(`- \`${name}\`: `)
})

test('each of its links leads somewhere', async () => {
  const { text } = await call('GET', '/llms.txt')
  const links = [...text.matchAll(/\]\(http:\/\/recollect\.test(\/[^)]*)\)/g)].map(([, path]) => path ?? '')
  expect(links.length).toBeGreaterThan(3)
  for (const path of links) expect((await call('GET', path)).status, path).toBeLessThan(400)
})

test('the header that it names for a key without MCP is the one that the API takes', async () => {
  const { text } = await call('GET', '/llms.txt')
  const [, section = ''] = /## Without MCP\n([^#]*)/.exec(text) ?? []
  const [, header = ''] = /`([\w-]+): rck_…`/.exec(section) ?? []
  const { key } = await newTenant()
  const search = (headers: Record<string, string>) =>
    call('POST', '/api/memory/search', { headers, body: { query: 'Who has a nut allergy?' } })
  expect((await search({ [header]: key })).status).toBe(200)
  expect((await search({ Authorization: `Bearer ${key}` })).status).toBe(401)
})
