import { expect, test } from 'vitest'
import { ERROR_STATUS } from '../../src/core/errors.ts'
import type { Message } from '../../src/events/index.ts'
import { call } from '../support/world.ts'

const PAGES = ['/', '/api-reference', '/api-reference/events', '/api-reference/errors']
const asBrowser = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

test('the landing page is JSON for clients and a page for browsers', async () => {
  const client = await call('GET', '/')
  expect(client.body).toMatchObject({
    name: 'Recollect',
    links: { openapi: 'http://recollect.test/api-reference/openapi.json' },
  })
  const browser = await call('GET', '/', asBrowser)
  expect(browser.headers.get('content-type')).toBe('text/html; charset=utf-8')
  for (const answer of [client, browser]) expect(answer.headers.get('vary')).toContain('Accept')
})

test('every error code has a section on the page that `type` links to (contract §1)', async () => {
  const { text } = await call('GET', '/api-reference/errors')
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    expect(text).toContain(`id="${code}"`)
    expect(text).toContain(`<code>${code}</code> <span class="badge badge-plain">${status}</span>`)
  }
})

test('the events page shows each type with its members and an example, and the webhook with its headers', async () => {
  const { text } = await call('GET', '/api-reference/events')
  const { body: document } = await call('GET', '/api-reference/asyncapi.json')
  const messages = Object.values<Message & { payload: { $ref: string } }>(document.components.messages)
  for (const { name, summary, payload: ref, examples } of messages.filter(({ tags }) => tags)) {
    const payload: Message['payload'] = document.components.schemas[ref.$ref.split('/').at(-1) ?? '']
    expect(text).toContain(`id="${name}"`)
    expect(text).toContain(summary)
    for (const member of Object.keys(payload.properties?.['data']?.properties ?? {}))
      expect(text).toContain(`<code>${member}</code>`)
    expect(text).toContain(escaped(JSON.stringify(examples?.[0]?.payload, null, 2)))
  }
  for (const header of Object.keys(document.components.messages.webhook.headers.properties))
    expect(text).toContain(`<code>${header}</code>`)
  expect(text).toContain('ws://recollect.test/realtime?')
})

const escaped = (text: string): string => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;')

test.each(PAGES)('security 40: %s runs no inline script and loads nothing from another origin', async (path) => {
  const { text, headers } = await call('GET', path, asBrowser)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'self'(;|$)/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/https?:|\*/)
  const scripts = [...text.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)]
  expect(
    scripts.filter(([, attributes = '', body]) => body !== '' || !/src="\/|application\/json/.test(attributes)),
  ).toEqual([])
  expect(text).not.toMatch(/(src|href)="https?:\/\/(?!recollect\.test)/)
})

test.each(PAGES)('%s ignores unknown parameters (contract §1)', async (path) => {
  const { status } = await call('GET', `${path}?utm_source=elsewhere`, asBrowser)
  expect(status).toBe(200)
  const { body: document } = await call('GET', '/api-reference/openapi.json')
  expect(document.paths[path].get['x-error-codes']).not.toContain('validation_failed')
})
