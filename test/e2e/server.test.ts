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
