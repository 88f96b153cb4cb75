import { expect, test, vi } from 'vitest'
import { MAX_RESPONSE_BYTES, post } from '../../../src/events/webhooks/post.ts'

const send = (answer: (init?: RequestInit) => Response | Promise<Response>, timeoutMs?: number) =>
  post({ fetch: async (_, init) => answer(init), now: () => 1_000_000 }, 'https://a.example/', {}, '{}', timeoutMs)

/** A response that never ends. It counts the bytes that are read. */
function endless(chunk: Uint8Array, pauseMs = 0) {
  const seen = { bytes: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (pauseMs > 0) await scheduler.wait(pauseMs)
        seen.bytes += chunk.byteLength
        controller.enqueue(chunk)
      },
      cancel() {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { seen, body }
}

test.each([200, 201, 204, 299])('%i is success', async (status) => {
  expect(await send(() => new Response(null, { status }))).toMatchObject({ statusCode: status, error: null })
})

test.each([
  [301, 'redirect'],
  [302, 'redirect'],
  [304, 'redirect'],
  [400, 'status_400'],
  [500, 'status_500'],
])('%i is a failure: %s', async (status, error) => {
  expect(await send(() => new Response(null, { status }))).toMatchObject({ statusCode: status, error })
})

test('redirects are never followed by the platform', async () => {
  let redirect: string | undefined
  await send((init) => {
    redirect = init?.redirect
    return new Response()
  })
  expect(redirect).toBe('manual')
})

test('security 37: of an endless response 16 KiB are read', async () => {
  const { seen, body } = endless(new Uint8Array(1024).fill(97))
  const outcome = await send(() => new Response(body))
  expect(outcome).toMatchObject({ statusCode: 200, error: null })
  expect(seen.bytes).toBeLessThanOrEqual(MAX_RESPONSE_BYTES + 1024)
  expect(seen.cancelled).toBe(true)
  expect(outcome.response.length).toBeLessThanOrEqual(2_048)
})

test('security 37: a response of one byte at a time ends at the deadline', async () => {
  const { body } = endless(new Uint8Array([97]), 15)
  expect(await send(() => new Response(body), 60)).toMatchObject({ statusCode: 200, error: 'timeout' })
})

test('the deadline is 15 s unless a test asks for another', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const signals: unknown[] = []
  await send((init) => {
    signals.push(init?.signal)
    return new Response()
  })
  expect(timeout.mock.calls).toEqual([[15_000]])
  expect(signals).toEqual([timeout.mock.results[0]?.value])
  timeout.mockRestore()
})

test('a response that never begins ends at the deadline', async () => {
  const outcome = await send(
    (init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))),
    30,
  )
  expect(outcome).toMatchObject({ statusCode: null, error: 'timeout' })
})

test('a refused connection is a failure', async () => {
  const outcome = await send(() => Promise.reject(new TypeError('connection refused')))
  expect(outcome).toMatchObject({ statusCode: null, error: 'connection_failed', response: '' })
})

test('garbage is kept as text that can be stored and shown', async () => {
  const { response } = await send(() => new Response(new Uint8Array([0, 255, 254, 237, 160, 128, 65])))
  expect(response.isWellFormed()).toBe(true)
  expect(response).not.toContain('\0')
  expect(response.endsWith('A')).toBe(true)
})
