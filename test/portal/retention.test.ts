import { expect, test } from 'vitest'
import { newPerson } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { travel } from '../support/clock.ts'
import { call } from '../support/world.ts'

test('the rules of a project are set, counted and applied on its page', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const page = `/portal/projects/${person.projectId}`
  const { body: item } = await call('POST', '/api/memory/store', { headers: person.session, body: { content: 'Tea.' } })
  expect((await browser.open(page)).text).not.toContain('Apply to stored memories')
  const refused = await browser.send(page, `${page}/retention`, { retention: '[{"max_ttl": 0}]' })
  expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/field-error/)])
  const unread = await browser.send(page, `${page}/retention`, { retention: '[{' })
  expect([unread.status, unread.text]).toEqual([422, expect.stringContaining('The rules must be a JSON list')])
  expect((await browser.send(page, `${page}/retention`, { retention: '[{"max_ttl": 60}]' })).status).toBe(303)
  const saved = (await browser.open(page)).text
  expect(saved).toContain('The rules were saved.')
  expect(saved).toMatch(/&quot;max_ttl&quot;: 60/)
  travel(61_000)
  await browser.send(page, `${page}/retention/count`, {})
  expect((await browser.open(page)).text).toContain('1 memories would expire earlier, 1 of them at once.')
  expect((await call('GET', `/v1/memory/items/${item.id}`, { headers: person.session })).status).toBe(200)
  await browser.send(page, `${page}/retention/apply`, {})
  expect((await browser.open(page)).text).toContain('1 memories expire earlier, 1 of them now.')
  expect((await call('GET', `/v1/memory/items/${item.id}`, { headers: person.session })).status).toBe(404)
})
