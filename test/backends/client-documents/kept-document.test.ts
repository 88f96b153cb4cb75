import { expect, test } from 'vitest'
import { documentHost, serving } from '../../support/documents.ts'

const URL_ = 'https://agent.example/client.json'
const DOCUMENT = { client_id: URL_, redirect_uris: ['http://localhost/callback'] }

test('sixteen who ask at once share one fetch, and those who ask meanwhile wait for it', async () => {
  const host = documentHost()
  const { promise, resolve } = Promise.withResolvers<Response>()
  host.answers.set(URL_, () => promise)
  expect(await host.kept(URL_)).toBeNull()
  const replies = Array.from({ length: 16 }, () => host.fetch(URL_, false))
  const meanwhile = host.kept(URL_)
  await expect.poll(() => host.fetched.length).toBe(1)
  resolve(serving(DOCUMENT)())
  const outcomes = new Set((await Promise.all([...replies, meanwhile])).map((reply) => reply?.outcome))
  expect(outcomes).toEqual(new Set(['read']))
  expect(host.fetched).toEqual([URL_])
})

test('a document is kept while it is fresh, and a failure for 60 s', async () => {
  let now = 0
  const host = documentHost(() => now)
  host.answers.set(URL_, serving(DOCUMENT, { 'Cache-Control': 'max-age=600' }))
  await host.fetch(URL_, false)
  now = 599_999
  expect(await host.kept(URL_)).toMatchObject({ outcome: 'read' })
  now = 600_000
  expect(await host.kept(URL_)).toBeNull()
  host.answers.clear()
  await host.fetch(URL_, false)
  now = 659_999
  expect(await host.kept(URL_)).toMatchObject({ outcome: 'failed' })
  now = 660_000
  expect(await host.kept(URL_)).toBeNull()
})
