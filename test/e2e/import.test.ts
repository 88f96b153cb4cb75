import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type Server } from './support/server.ts'

let server: Server
beforeAll(async () => {
  // An import runs at the rate of batches; with this factor it takes seconds instead of a minute.
  server = await startServer({ vars: { LIMITS_FACTOR: '50' } })
}, 60_000)
afterAll(() => server.stop())

const LINES = 5_000

test('5,000 lines are imported, each with a report, exported, and embedded', { timeout: 300_000 }, async () => {
  const form = new URLSearchParams({ email: 'ada@example.com', password: 'a password for a test', name: 'Ada' })
  const signUp = await fetch(`${server.url}/auth/register-user`, { method: 'POST', body: form })
  const { session_token } = (await signUp.json()) as { session_token: string }
  const headers = { 'X-Session-Token': session_token, 'Content-Type': 'application/x-ndjson' }

  const texts = Array.from({ length: LINES }, (_, n) => `Line ${n} of the harbour log: calm sea.`)
  const imported = await fetch(`${server.url}/v1/memory/import`, {
    method: 'POST',
    headers,
    body: texts.map((content, n) => JSON.stringify({ content, custom_id: `line-${n}`, tags: ['log'] })).join('\n'),
  })
  const report = (await imported.json()) as { created: number; failed: number; results: { line: number; id: string }[] }
  expect(report).toMatchObject({ created: LINES, updated: 0, failed: 0 })
  expect(report.results.map(({ line }) => line)).toEqual(texts.map((_, n) => n + 1))

  const exported = await (await fetch(`${server.url}/v1/memory/export`, { headers })).text()
  const items = exported
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; content: { text: string } })
  expect(new Map(items.map(({ id, content }) => [id, content.text]))).toEqual(
    new Map(report.results.map(({ id }, n) => [id, texts[n]])),
  )

  const database = await server.miniflare.getD1Database(server.home.DB)
  const open = database.prepare("select count(*) as n from memory_items where embedding_status <> 'completed'")
  await expect.poll(async () => (await open.first<{ n: number }>())?.n, { timeout: 200_000, interval: 500 }).toBe(0)
})
