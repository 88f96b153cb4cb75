import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { Seeded } from '../support/secrets/random.ts'
import { githubToken } from '../support/secrets/secrets.ts'
import { Agent } from './support/agent.ts'
import { startServer, type Server } from './support/server.ts'

let state: string
let server: Server
let agent: Agent
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'recollect-guard-'))
  server = await startServer({ persistTo: state, vars: { LIMITS_FACTOR: '1000', LOG_REQUESTS: 'true' } })
  agent = await Agent.signUp(server.url)
})
afterAll(async () => {
  await server.stop()
  await rm(state, { recursive: true, force: true })
})

const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method,
    headers: { 'X-Session-Token': agent.session, 'Content-Type': 'application/json', ...headers },
    ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

const r = new Seeded(8)
const token = () => githubToken(r)

interface Write {
  method?: string
  to: string
  body: unknown
  headers?: Record<string, string>
  /** What an answer says that refuses it; otherwise it is 422. */
  report?: object
}

/** A call of a tool, which answers that it failed. */
const tool = (name: string, args: Record<string, unknown>): Write => ({
  to: '/mcp',
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  headers: { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
  report: { result: { isError: true } },
})
const store = (body: unknown, headers: Record<string, string> = {}): Write => ({
  to: '/api/memory/store',
  body,
  headers,
})
const line = (value: unknown): Write => ({
  to: '/v1/memory/import',
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/x-ndjson' },
  report: { created: 0, failed: 1 },
})
const messages = (message: object, more: object = {}): Write => ({
  to: '/v1/memory/ingest',
  body: { conversation_id: 'chat', messages: [{ role: 'user', content: 'hello', ...message }], ...more },
})

/** A write in each way in with a text in each of its places, for an item that is there. */
const writesOf = (id: string, said: (place: string) => string): Write[] => {
  const item = `/v1/memory/items/${id}`
  return [
    store({ content: said('text') }, { 'Idempotency-Key': 'refused' }),
    store({ content: { text: 'a', metadata: { deep: [{ value: said('metadata') }] } } }),
    store({ content: { text: 'a', metadata: { [said('key')]: 1 } } }),
    store({ content: 'a', tags: [said('tag')] }),
    store({ content: 'a', custom_id: said('name') }),
    store({ content: 'a', context: { subject: said('subject') } }),
    store({ content: 'a', context: { conversation_id: said('conversation') } }),
    store({ content: 'a', supersedes: [id], supersede_reason: said('successor') }),
    { method: 'PATCH', to: item, body: { content: said('update') } },
    { method: 'PATCH', to: item, body: { merge_metadata: true, content: { metadata: { value: said('merge') } } } },
    { to: `${item}/retire`, body: { reason: said('reason') } },
    {
      to: '/api/memory/batch',
      body: { operations: [{ op: 'store', content: said('operation') }] },
      report: { results: [{ status: 'error' }] },
    },
    {
      to: '/api/memory/batch',
      body: { operations: [{ op: 'update', id, content: said('atomic') }], atomic: true },
      headers: { 'Idempotency-Key': 'refused-batch' },
    },
    line({ content: said('line') }),
    line({
      content: 'a',
      turn: { role: 'user' },
      context: { conversation_id: 'chat' },
      tags: [said('turn')],
    }),
    messages({ content: said('message') }),
    messages({ content: [{ type: 'text', text: said('part') }] }, { mode: 'history' }),
    messages({ id: said('id') }),
    messages({}, { tags: [said('shared')] }),
    tool('store_memory', { content: said('tool') }),
    tool('update_memory', { id, content: said('change') }),
    tool('retire_memory', { id, reason: said('retire') }),
  ]
}

test('nothing of a refused text is in any file, whichever way it came, and nothing of a secret that was redacted (contract §3)', async () => {
  const projects = (await (await send('GET', '/v1/projects', null)).json()) as { data: { id: string }[] }
  const path = `/v1/projects/${projects.data[0]?.id}`
  const mode = async (both: string) => {
    const { status } = await send('PATCH', path, { guard: { secrets: { direct: both, unattended: both } } })
    expect(status).toBe(200)
  }

  await mode('flag')
  const stored = token()
  expect((await send('POST', '/api/memory/store', { content: stored })).status).toBe(201)
  const { id } = (await (await send('POST', '/api/memory/store', { content: 'an item to change' })).json()) as {
    id: string
  }

  await mode('refuse')
  const parts: string[] = []
  const writes = writesOf(id, (place) => {
    const [word, secret] = [`canary${place}word`, token()]
    parts.push(word, secret)
    return `${word} ${secret}`
  })
  for (const { method = 'POST', to, body, headers = {}, report } of writes) {
    const answer = await send(method, to, body, headers)
    const text = await answer.text()
    expect(answer.status, `${to} ${text}`).toBe(report ? 200 : 422)
    expect(JSON.parse(text)).toMatchObject(report ?? { code: 'validation_failed' })
    expect(text).toContain('A secret was found')
    for (const part of parts) expect(text.includes(part), `${part} in ${text}`).toBe(false)
  }

  await mode('redact')
  const redacted = token()
  expect((await send('POST', '/api/memory/store', { content: `seen ${redacted}`, tags: [redacted] })).status).toBe(201)

  // The audit rows come last. The same search finds a text that is stored, so the lines below prove something.
  const files = await until(
    async () => {
      const now = await bytesBelow(state)
      expect(now.includes(stored) && now.includes('memory.ingest')).toBe(true)
      return now
    },
    { everyMs: 200 },
  )
  const log = server.log()
  // The index holds lower case.
  const indexed = files.toLowerCase()
  for (const one of [...parts, redacted]) {
    expect(indexed.includes(one.toLowerCase()), `${one} in a file`).toBe(false)
    expect(log.includes(one), `${one} in the log`).toBe(false)
  }
})

/** Everything in the files of a folder, as latin1. */
async function bytesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join('\n')
}
