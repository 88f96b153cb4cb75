import { expect, test } from 'vitest'
import { Api } from '../../src/portal/api.ts'
import { applyRules } from '../../src/portal/projects/retention.tsx'
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
  // The clock stands, and the page reads much: two views are the limit of one second.
  travel(63_000)
  await browser.send(page, `${page}/retention/apply`, {})
  expect((await browser.open(page)).text).toContain('1 memories expire earlier, 1 of them now.')
  expect((await call('GET', `/v1/memory/items/${item.id}`, { headers: person.session })).status).toBe(404)
})

/** The portal before an API that answers these, one after another. */
function portalBefore(answers: readonly Response[]) {
  const asked: unknown[] = []
  const dispatch = async (request: Request): Promise<Response> => {
    asked.push(await request.json())
    return answers[asked.length - 1] ?? new Response(null, { status: 500 })
  }
  return {
    asked,
    ctx: { api: new Api(dispatch, new Request('https://test.invalid/portal'), null), params: { id: 'p' } },
  }
}
const part = (items: number, next_cursor: string | null) =>
  Response.json({ items, expired: 0, has_more: next_cursor !== null, next_cursor })
const overLimit = (seconds: number) =>
  Response.json(
    { code: 'rate_limited', detail: 'Too many.' },
    { status: 429, headers: { 'Retry-After': `${seconds}` } },
  )

test('over the limit of writes the loop waits for its permit, and goes on where it was', async () => {
  const { asked, ctx } = portalBefore([part(1_000, 'a'), overLimit(0), overLimit(0), part(1_000, 'b'), part(5, null)])
  expect(await applyRules(ctx, false)).toEqual({ tone: 'ok', text: '2005 memories expire earlier, 0 of them now.' })
  const cursors = [undefined, 'a', 'a', 'a', 'b']
  expect(asked).toEqual(cursors.map((cursor) => ({ dry_run: false, ...(cursor ? { cursor } : {}) })))
})

test('a wait that is too long for a click, and a limit that admits nothing, are told to the person', async () => {
  const long = portalBefore([part(1_000, 'a'), overLimit(3_600)])
  await expect(applyRules(long.ctx, true)).rejects.toMatchObject({
    code: 'rate_limited',
    headers: { 'Retry-After': '3600' },
  })
  expect(long.asked).toHaveLength(2)
  const closed = portalBefore(Array.from({ length: 12 }, () => overLimit(0)))
  await expect(applyRules(closed.ctx, true)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(closed.asked).toHaveLength(10)
  const failing = portalBefore([new Response(null, { status: 500 })])
  await expect(applyRules(failing.ctx, true)).rejects.toMatchObject({ code: 'internal' })
})
