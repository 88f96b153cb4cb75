import { expect, test } from 'vitest'
import { newPerson } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { call } from '../support/world.ts'

test('a memory is retired and restored on its page, which shows what replaced it', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const store = (body: object) => call('POST', '/api/memory/store', { headers: person.session, body })
  const { body: lisbon } = await store({ content: 'The office is in Lisbon.' })
  const { body: porto } = await store({
    content: 'The office is in Porto.',
    supersedes: [lisbon.id],
    supersede_reason: 'moved <north>',
  })
  const { body: braga } = await store({ content: 'The office is in Braga.', supersedes: [porto.id] })
  const page = `/portal/memory/${lisbon.id}`
  const { text } = await browser.open(page)
  expect(text).toContain('This memory is retired')
  expect(text).toContain('moved &lt;north&gt;')
  for (const { id } of [porto, braga]) expect(text).toContain(`href="/portal/memory/${id}"`)
  expect(text).not.toContain(`action="${page}/retire"`)
  const list = (await browser.open('/portal/memory?tags=')).text
  expect(list).not.toContain(page)
  const [, others = ''] = /href="([^"]*)">show retired memories/.exec(list) ?? []
  const retired = (await browser.open(others.replaceAll('&amp;', '&'))).text
  for (const { id } of [lisbon, porto]) expect(retired).toContain(`/portal/memory/${id}`)
  expect(retired).not.toContain(`/portal/memory/${braga.id}`)
  const narrowed = await browser.open('/portal/memory?status=retired&subject=nobody')
  expect(narrowed.text).toContain('No memories match')
  // Filters that are sent from here narrow the retired ones again.
  expect(narrowed.text).toContain('<input type="hidden" name="status" value="retired"/>')
  await browser.send(page, `${page}/restore`, {})
  const restored = (await browser.open(page)).text
  expect(restored).not.toContain('This memory is retired')
  await browser.send(page, `${page}/retire`, { reason: 'wrong' })
  expect((await browser.open(page)).text).toContain('wrong')
  const read = (id: string) => call('GET', `/v1/memory/items/${id}`, { headers: person.session })
  expect((await read(lisbon.id)).body).toMatchObject({
    status: 'retired',
    retired_reason: 'wrong',
    superseded_by: null,
  })
})

test('what is refused for a retired memory is told, and what was typed stays', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const { body: item } = await call('POST', '/api/memory/store', { headers: person.session, body: { content: 'tea' } })
  const page = `/portal/memory/${item.id}`
  await browser.send(page, `${page}/retire`, { reason: 'stale' })
  const edited = await browser.send(page, page, { text: 'what was typed', tags: '', occurred_at: '', metadata: '' })
  expect(edited.status).toBe(409)
  expect(edited.text).toContain('restore it first')
  expect(edited.text).toContain('what was typed')
  const again = await browser.send(page, `${page}/retire`, { reason: 'another reason' })
  expect(again.text).toContain('retired already')
  expect(again.text).toContain('another reason')
  await browser.send(page, `${page}/restore`, {})
  const restored = await browser.send(page, `${page}/restore`, {})
  expect(restored.text).toContain('current already')
})
