import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type Server } from './support/server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
}, 60_000)
afterAll(() => server.stop())

test('the bundled Worker answers over a real socket', async () => {
  const response = await fetch(`${server.url}/health`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ status: 'ok' })
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
})

test('the cron trigger runs every sweep without a failure', async () => {
  await server.sweep()
  expect(server.log()).not.toContain('sweep.failed')
})

test('a URL that is too long for the platform is its 414, and not ours (contract §1)', async () => {
  const answer = await fetch(`${server.url}/health?x=${'y'.repeat(300_000)}`)
  expect(answer.status).toBe(414)
  expect(answer.headers.get('content-type')).not.toBe('application/problem+json')
})
