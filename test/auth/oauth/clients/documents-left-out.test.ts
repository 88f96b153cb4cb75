import { expect, test } from 'vitest'
import {
  leaveDocumentsOut,
  LEFT_OUT_MS,
  offersDocuments,
} from '../../../../src/auth/oauth/clients/documents-left-out.ts'
import type { AuthContext } from '../../../../src/core/context.ts'
import { travel } from '../../../support/clock.ts'
import { newAgent, newUrl, queryFor, readQuery, tokensOf, type DocumentHost } from '../../../support/documents.ts'
import { ask, refreshWith } from '../../../support/oauth.ts'
import { call, system } from '../../../support/world.ts'

const at = (ctx: AuthContext, ms: number): AuthContext => ({ ...ctx, now: () => system.now() + ms })

test('contract §2: where the resolver is silent, this isolate offers no documents for five minutes', async () => {
  const { url, host, ctx } = await newAgent()
  const now = system.now()
  const still = { ...ctx, now: () => now }
  expect(offersDocuments(still)).toBe(true)
  host.resolverSilent = true
  expect(await readQuery(still, queryFor(url))).toMatchObject({
    step: 'refuse',
    detail:
      'The application describes itself at agent.example, and this service could not look that name up: its DNS resolver does not answer.',
    advice: expect.stringContaining('Start again from your application within five minutes: it then registers itself'),
  })
  expect(offersDocuments(still)).toBe(false)
  expect(offersDocuments({ ...still, now: () => now + LEFT_OUT_MS - 1 })).toBe(false)
  expect(offersDocuments({ ...still, now: () => now + LEFT_OUT_MS })).toBe(true)
  // Another isolate does so once it learns of it.
  const other = { ...still, clientDocuments: { ...host } }
  expect(offersDocuments(other)).toBe(true)
  await readQuery(other, queryFor(url))
  expect(offersDocuments(other)).toBe(false)
})

test('where nobody may register, the page does not say to', async () => {
  const { url, host, ctx } = await newAgent()
  host.resolverSilent = true
  const config = { ...system.config, openClientRegistration: false }
  const { advice } = (await readQuery({ ...ctx, config }, queryFor(url))) as { advice?: string }
  expect(advice).toBe('Try again in some minutes. If this page comes back, tell the operator of this service.')
  expect(offersDocuments({ ...ctx, config })).toBe(true)
})

test.each<[string, (host: DocumentHost) => void]>([
  ['a name that does not exist', (host) => host.addresses.splice(0)],
  ['a name that is private', (host) => host.addresses.push('10.0.0.1')],
  ['a host that refuses', (host) => host.answers.clear()],
])('%s leaves documents in: a stranger may have chosen it', async (_, spoil) => {
  const { url, host, ctx } = await newAgent()
  spoil(host)
  expect(await readQuery(ctx, queryFor(url))).toMatchObject({ step: 'refuse', advice: undefined })
  expect(offersDocuments(ctx)).toBe(true)
})

test('the metadata leave documents out, and offer them again', async () => {
  const offered = async () => {
    const { body } = await call('GET', '/.well-known/oauth-authorization-server')
    return body.client_id_metadata_document_supported
  }
  travel(0)
  expect(await offered()).toBe(true)
  leaveDocumentsOut(system)
  expect(await offered()).toBeUndefined()
  travel(LEFT_OUT_MS)
  expect(await offered()).toBe(true)
})

test('CLIENT_DOCUMENTS=off: no document is offered or read, and what has a consent goes on', async () => {
  const one = await newAgent()
  const { body } = await tokensOf(one)
  const [config, url] = [{ ...system.config, clientDocuments: false }, newUrl()]
  const ctx = { ...one.ctx, config }
  expect(offersDocuments(ctx)).toBe(false)
  for (const id of [one.url, url])
    expect(await readQuery(ctx, queryFor(id))).toMatchObject({
      step: 'refuse',
      detail: 'The application describes itself at an address, and this service does not read such addresses.',
      advice: 'Remove the connection in your application and add it again: it then registers itself.',
    })
  expect(one.host.fetched).toEqual([one.url])
  expect((await refreshWith(one.app, body.refresh_token)).status).toBe(200)
  expect(await readQuery(at(one.ctx, 0), queryFor(one.url))).toMatchObject({ step: 'consent' })
})

test('the page of another fault says to tell the developers of the application', async () => {
  const { status, text } = await ask(null, queryFor('app_unknown'))
  expect(status).toBe(400)
  expect(text).toContain('If an application sent you here, report this to its developers.')
})
