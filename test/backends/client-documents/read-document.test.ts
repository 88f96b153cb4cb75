import { expect, test } from 'vitest'
import { readDocument } from '../../../src/backends/client-documents/read-document.ts'
import { PUBLIC_ADDRESS, serving } from '../../support/documents.ts'

const URL_ = 'https://agent.example/client.json'
const DOCUMENT = {
  client_id: URL_,
  client_name: 'Agent',
  redirect_uris: ['http://localhost/callback'],
  token_endpoint_auth_method: 'none',
}

const read = (
  answer: (init?: RequestInit) => Response | Promise<Response>,
  { addresses = [PUBLIC_ADDRESS], allowPrivate = false, deadlineMs = 10_000 } = {},
) =>
  readDocument(
    {
      fetch: async (_, init) => answer(init),
      resolver: { addresses: async () => addresses },
      now: () => 1_000,
    },
    URL_,
    allowPrivate,
    deadlineMs,
  )

const faultOf = async (reply: ReturnType<typeof read>): Promise<string | null> => {
  const read = await reply
  return read.outcome === 'failed' ? read.fault : null
}

test('a document is read with what it says of the application, and how long it stays fresh', async () => {
  expect(
    await read(serving({ ...DOCUMENT, scope: 'read:memory', logo_uri: 'https://x', jwks_uri: 'https://y' })),
  ).toEqual({
    outcome: 'read',
    document: { name: 'Agent', redirectUris: ['http://localhost/callback'], scope: 'read:memory' },
    freshUntil: 3_601_000,
  })
})

test('private_key_jwt counts as none, as does no method at all', async () => {
  for (const token_endpoint_auth_method of ['private_key_jwt', undefined])
    expect(await faultOf(read(serving({ ...DOCUMENT, token_endpoint_auth_method })))).toBeNull()
})

test('security 60: a document of another client_id, of a client with a secret, or that is none is refused', async () => {
  expect(await faultOf(read(serving({ ...DOCUMENT, client_id: `${URL_}/` })))).toBe('it names another client_id')
  for (const document of [
    { ...DOCUMENT, client_id: undefined },
    { ...DOCUMENT, redirect_uris: 'http://localhost/callback' },
    { ...DOCUMENT, token_endpoint_auth_method: 'client_secret_post' },
    { ...DOCUMENT, client_secret: 'shared' },
    [DOCUMENT],
    null,
    '<html>',
    '',
  ])
    expect(await faultOf(read(serving(document))), JSON.stringify(document)).toBe(
      'it is not the metadata of a public application',
    )
})

test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1', '100.64.0.1'])(
  'security 60: a host that resolves to %s is not asked, even beside a public address',
  async (address) => {
    let asked = 0
    const answer = () => {
      asked += 1
      return serving(DOCUMENT)()
    }
    expect(await faultOf(read(answer, { addresses: [PUBLIC_ADDRESS, address] }))).toBe('its host is not public')
    expect(asked).toBe(0)
    expect(await faultOf(read(answer, { addresses: [address], allowPrivate: true }))).toBeNull()
  },
)

test('security 60: redirects are not followed, and every other status than 200 is a failure', async () => {
  const seen: (string | undefined)[] = []
  for (const status of [301, 302, 307, 204, 304, 404, 500]) {
    const answer = (init?: RequestInit) => {
      seen.push(init?.redirect)
      return new Response(null, { status, headers: { Location: 'http://169.254.169.254/' } })
    }
    expect(await faultOf(read(answer))).toBe(`its host answered ${status}`)
  }
  expect(new Set(seen)).toEqual(new Set(['manual']))
})

test('security 60: 5 KB are read and no more, and the rest is cancelled', async () => {
  const sized = (bytes: number) => {
    const text = JSON.stringify({ ...DOCUMENT, padding: '' })
    return text.replace('"padding":""', `"padding":"${'a'.repeat(bytes - text.length)}"`)
  }
  expect(await faultOf(read(serving(sized(5 * 1024))))).toBeNull()
  expect(await faultOf(read(serving(sized(5 * 1024 + 1))))).toBe('it is larger than 5 KiB')
  let pulled = 0
  let cancelled = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled += 1
      controller.enqueue(new Uint8Array(1_024).fill(32))
    },
    cancel: () => {
      cancelled = true
    },
  })
  expect(await faultOf(read(() => new Response(endless)))).toBe('it is larger than 5 KiB')
  expect(cancelled).toBe(true)
  expect(pulled).toBeLessThan(10)
})

test('security 60: a host that does not answer in time, or stops in the middle, is given up', async () => {
  const late = { deadlineMs: 5 }
  expect(await faultOf(read(() => new Promise<Response>(() => {}), late))).toBe('it did not arrive in time')
  const stalled = () => new Response(new ReadableStream({ start: (one) => one.enqueue(new TextEncoder().encode('{')) }))
  expect(await faultOf(read(stalled, late))).toBe('it did not arrive in time')
})

test('a host that cannot be reached, or has no address, is a failure and no exception', async () => {
  expect(await faultOf(read(() => Promise.reject(new TypeError('refused'))))).toBe('its host could not be reached')
  expect(await faultOf(read(serving(DOCUMENT), { addresses: [] }))).toBe('its host could not be reached')
})
