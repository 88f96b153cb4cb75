import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent } from './support/agent.ts'
import { CLIENTS, Provider } from './support/mcp-clients.ts'
import { startServer, type Server } from './support/server.ts'

/** Nothing listens there: the test passes the address to the client, as the browser would open it. */
const CALLBACK = 'http://127.0.0.1:8976/callback'

let server: Server
let agent: Agent
let key: string
beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '1000' } })
  agent = await Agent.signUp(server.url)
  key = await agent.makeKey()
})
afterAll(() => server?.stop())

describe.each(CLIENTS)('$name', ({ open, revision }) => {
  test('with a key: connects, lists, stores, searches, reads and gets a prompt', async () => {
    const connection = open(`${server.url}/mcp`, { headers: { Authorization: `Bearer ${key}` } })
    await connection.connect()
    expect(connection.revision()).toBe(revision)
    expect(await connection.tools()).toContain('search_memories')
    const word = `kettle${crypto.randomUUID().replaceAll('-', '')}`
    const stored = await connection.use('store_memory', { content: `The ${word} is blue.`, tags: ['kitchen'] })
    expect(stored).toMatchObject({ isError: false, result: { created: true } })
    const found = await connection.use('search_memories', { query: word })
    expect(found.result.results[0].id).toBe(stored.result.id)
    expect(await connection.read(`memory://${stored.result.id}`)).toBe(`The ${word} is blue.`)
    expect(await connection.prompt('recall', { topic: word })).toContain(word)
    expect((await connection.use('get_memory', { id: 'mem_none' })).isError).toBe(true)
    await connection.close()
  })

  test('reads a long text part by part, and fills in every argument as models do', async () => {
    const connection = open(`${server.url}/mcp`, { headers: { Authorization: `Bearer ${key}` } })
    await connection.connect()
    const word = `kettle${crypto.randomUUID().replaceAll('-', '')}`
    const content = `${'Nothing of note happened. '.repeat(1_500)}The ${word} is blue.`
    const nothing = { namespace: null, project_id: '', ttl: null, custom_id: null, idempotency_key: '' }
    const stored = await connection.use('store_memory', {
      ...nothing,
      content,
      tags: '["kitchen"]',
      metadata: '{"n":1}',
    })
    expect(stored.result).toMatchObject({ tags: ['kitchen'], metadata: { n: 1 }, truncated: true, by_you: true })
    const found = await connection.use('search_memories', {
      query: word,
      limit: '5',
      tags: 'kitchen',
      max_tokens: '2000',
    })
    expect(found.result.results[0]).toMatchObject({
      id: stored.result.id,
      truncated: true,
      text_length: content.length,
    })
    expect(found.result.results[0].content).toContain(word)
    const parts: string[] = []
    for (let offset: number | null = 0; offset !== null;) {
      const { result } = await connection.use('get_memory', { id: stored.result.id, offset })
      parts.push(result.content)
      offset = result.next_offset
    }
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.join('')).toBe(content)
    await connection.close()
  })

  test('with OAuth, from the bare URL: consent, tools, a refresh, and the end of the grant', async () => {
    const provider = new Provider(CALLBACK)
    const first = open(`${server.url}/mcp`, { provider })
    await expect(first.connect()).rejects.toThrow(/unauthorized/i)
    expect(provider.info.client_id).toBeTruthy()
    expect(provider.sentTo?.searchParams.get('resource')).toBe(`${server.url}/mcp`)
    const back = await agent.approve(provider.sentTo ?? '')
    await first.finishAuth(back.searchParams.get('code') ?? '', back.searchParams.get('iss') ?? '')
    const connection = open(`${server.url}/mcp`, { provider })
    await connection.connect()
    expect(await connection.tools()).toEqual(expect.arrayContaining(['search_memories', 'store_memory', 'whoami']))
    expect((await connection.use('whoami', {})).result.email).toBe(agent.email)
    // An access token that has ended: the client refreshes by itself.
    const before = provider.granted.refresh_token
    provider.granted = { ...provider.granted, access_token: `rca_${'0'.repeat(54)}` }
    expect((await connection.use('list_projects', {})).isError).toBe(false)
    expect(provider.granted.refresh_token).not.toBe(before)
    // The token is bound to /mcp and opens nothing else.
    expect(await agent.statusWith(provider.granted.access_token)).toBe(401)
    provider.sentTo = undefined
    await agent.endGrants()
    await expect(connection.use('list_projects', {})).rejects.toThrow(/unauthorized/i)
    expect(provider.sentTo).toBeDefined()
    await connection.close()
  })

  test('bound to a project: its URL is the one thing that a person pastes', async () => {
    const projectId = await agent.makeProject('Notes')
    const connection = open(`${server.url}/mcp/${projectId}`, { headers: { Authorization: `Bearer ${key}` } })
    await connection.connect()
    expect(await connection.tools()).not.toContain('list_projects')
    const stored = await connection.use('store_memory', { content: 'A cup.' })
    expect(stored.result.project_id).toBe(projectId)
    await connection.close()
  })
})
