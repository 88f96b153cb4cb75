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

test('nothing of a refused text is in any file, and nothing of a secret that was redacted (contract §3)', async () => {
  const projects = (await (await send('GET', '/v1/projects', null)).json()) as { data: { id: string }[] }
  const path = `/v1/projects/${projects.data[0]?.id}`
  const mode = (direct: string) => send('PATCH', path, { guard: { secrets: { direct } } })

  await mode('flag')
  const stored = token()
  expect((await send('POST', '/api/memory/store', { content: stored })).status).toBe(201)
  const { id } = (await (await send('POST', '/api/memory/store', { content: 'an item to change' })).json()) as {
    id: string
  }

  await mode('refuse')
  const refused = Array.from({ length: 7 }, token)
  const [store, metadata, tag, name, update, batch, line] = refused.map((one) => `canary words ${one}`)
  const writes: [string, string, unknown, Record<string, string>?][] = [
    ['POST', '/api/memory/store', { content: store }, { 'Idempotency-Key': 'refused' }],
    ['POST', '/api/memory/store', { content: { text: 'a', metadata: { metadata } } }],
    ['POST', '/api/memory/store', { content: 'a', tags: [tag?.slice(-40)] }],
    ['POST', '/api/memory/store', { content: 'a', custom_id: name }],
    ['PATCH', `/v1/memory/items/${id}`, { content: update }],
    ['POST', '/api/memory/batch', { operations: [{ op: 'store', content: batch }], atomic: true }],
  ]
  for (const [method, to, body, headers] of writes) expect((await send(method, to, body, headers)).status).toBe(422)
  const lines = JSON.stringify({ content: line })
  const report = await send('POST', '/v1/memory/import', lines, { 'Content-Type': 'application/x-ndjson' })
  expect(await report.json()).toMatchObject({ created: 0, failed: 1 })

  await mode('redact')
  const redacted = token()
  expect((await send('POST', '/api/memory/store', { content: `seen ${redacted}`, tags: [redacted] })).status).toBe(201)

  // The audit rows come last. The same search finds a text that is stored, so the lines below prove something.
  const files = await until(
    async () => {
      const now = await bytesBelow(state)
      expect(now.includes(stored) && now.includes('memory.import')).toBe(true)
      return now
    },
    { everyMs: 200 },
  )
  const log = server.log()
  for (const one of [...refused, redacted, 'canary words']) {
    expect(files.includes(one), 'in a file').toBe(false)
    expect(log.includes(one), 'in the log').toBe(false)
  }
})

/** Everything in the files of a folder, as latin1. */
async function bytesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join('\n')
}
