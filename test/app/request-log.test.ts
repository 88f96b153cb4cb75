/** @module-tag long */
import { env } from 'cloudflare:workers'
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { expect, onTestFinished, test, vi } from 'vitest'
import worker from '../../src/index.ts'
import { newTenant } from '../support/world.ts'

/** All that is logged during a request, and the lines of the request: a delivery that another test left under way logs too. */
async function logged(path: string, headers: HeadersInit = {}) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const execution = createExecutionContext()
  const request = new Request(`https://recollect.test${path}`, { headers }) as Parameters<typeof worker.fetch>[0]
  const response = await worker.fetch(request, { ...env, LOG_REQUESTS: 'true' }, execution)
  await waitOnExecutionContext(execution)
  const id = String(response.headers.get('X-Request-Id'))
  const all = log.mock.calls.map(([line]) => String(line))
  return { all, lines: all.filter((line) => line.includes(id)).map((line) => JSON.parse(line)) }
}

test('a request for a path that is not there leaves a line too', async () => {
  const { lines } = await logged('/no-such-path')
  expect(lines).toEqual([expect.objectContaining({ event: 'request', route: '/*', status: 404 })])
})

test('security 24: a request leaves one line, by the pattern of its route, without a secret', async () => {
  const { key, projectId, userId } = await newTenant()
  const { all, lines } = await logged(`/v1/projects/${projectId}?token=hidden`, { 'X-API-Key': key })
  expect(lines).toEqual([
    expect.objectContaining({
      event: 'request',
      method: 'GET',
      route: '/v1/projects/:id',
      status: 422,
      user_id: userId,
    }),
  ])
  expect(all.join()).not.toMatch(/hidden|rck_/)
})
