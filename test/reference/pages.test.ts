import { expect, test } from 'vitest'
import { ERROR_STATUS } from '../../src/core/errors.ts'
import { call } from '../support/world.ts'

const PAGES = ['/', '/api-reference', '/api-reference/errors']
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

test('every error code has its place on the page that `type` links to (contract §1)', async () => {
  const { text } = await call('GET', '/api-reference/errors')
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    expect(text).toContain(`id="${code}"`)
    expect(text).toContain(`<code>${code}</code> <span class="badge badge-plain">${status}</span>`)
  }
})

test.each(PAGES)('security 40: %s runs no inline script and asks no third party', async (path) => {
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

test.each(PAGES)('%s ignores parameters that it does not know (contract §1)', async (path) => {
  const { status } = await call('GET', `${path}?utm_source=elsewhere`, asBrowser)
  expect(status).toBe(200)
})
