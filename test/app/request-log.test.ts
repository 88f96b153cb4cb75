/** @module-tag long */
import { env } from 'cloudflare:workers'
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { expect, test, vi } from 'vitest'
import worker from '../../src/index.ts'
import { newTenant } from '../support/world.ts'

test('a request for a path that is not there leaves a line too', async () => {
  const info = vi.spyOn(console, 'log').mockImplementation(() => {})
  const execution = createExecutionContext()
  const request = new Request('https://recollect.test/no-such-path') as Parameters<typeof worker.fetch>[0]
  const response = await worker.fetch(request, { ...env, LOG_REQUESTS: 'true' }, execution)
  const lines = info.mock.calls.map(([line]) => JSON.parse(String(line)))
  info.mockRestore()
  expect(lines).toEqual([
    expect.objectContaining({
      event: 'request',
      request_id: response.headers.get('X-Request-Id'),
      route: '/*',
      status: 404,
    }),
  ])
})

test('security 24: a request leaves one line, by the pattern of its route, without a secret', async () => {
  const { key, projectId, userId } = await newTenant()
  const info = vi.spyOn(console, 'log').mockImplementation(() => {})
  const execution = createExecutionContext()
  const request = new Request(`https://recollect.test/v1/projects/${projectId}?token=hidden`, {
    headers: { 'X-API-Key': key },
  })
  const response = await worker.fetch(
    request as Parameters<typeof worker.fetch>[0],
    { ...env, LOG_REQUESTS: 'true' },
    execution,
  )
  await waitOnExecutionContext(execution)
  const lines = info.mock.calls.map(([line]) => String(line))
  info.mockRestore()
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      event: 'request',
      request_id: response.headers.get('X-Request-Id'),
      method: 'GET',
      route: '/v1/projects/:id',
      status: 422,
      user_id: userId,
    }),
  ])
  expect(lines.join()).not.toMatch(/hidden|rck_/)
})
