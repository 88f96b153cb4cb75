import { expect, test } from 'vitest'
import { newPerson } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { call } from '../support/world.ts'

/** A page without the marks around the words of the question. */
const unmarked = (html: string): string => html.replaceAll(/<\/?mark>/g, '')

test('the page begins with the search, its filters in sight, and the results stand right below', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  await call('POST', '/api/memory/store', {
    headers: person.session,
    body: { content: 'Ada drinks tea.', tags: ['drinks'] },
  })
  const text = unmarked((await browser.open('/portal/memory?q=tea&tags=drinks')).text)
  const places = ['name="q"', 'name="mode"', 'id="search-tags"', 'id="results"', 'Ada drinks tea.', 'Import and export']
  const found = places.map((one) => text.indexOf(one))
  expect(found.toSorted((a, b) => a - b)).toEqual(found)
  expect(found[0]).toBeGreaterThan(0)
  expect(text).toContain('by you')
  expect(text.slice(0, text.indexOf('id="results"')).match(/<section/g)).toHaveLength(2)
  const [, form = ''] = /<form[^>]*role="search">(.*?)<\/form>/s.exec(text) ?? []
  expect(form).not.toContain('<details')
  expect([...form.matchAll(/name="(\w+)"/g)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(['q', 'mode', 'project_id', 'namespace', 'tags', 'threshold']),
  )
})

test('without a question the filters narrow the list', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const store = (content: string, tags: string[]) =>
    call('POST', '/api/memory/store', { headers: person.session, body: { content, tags } })
  await store('Ada drinks tea.', ['drinks'])
  await store('Ada plays chess.', ['games', 'clubs'])
  const shown = async (query: string) => {
    const { text } = await browser.open(`/portal/memory?${query}`)
    return ['Ada drinks tea.', 'Ada plays chess.'].filter((one) => text.includes(one))
  }
  expect(await shown('')).toHaveLength(2)
  expect(await shown('tags=clubs')).toEqual(['Ada plays chess.'])
  expect(await shown('tags=drinks%2C+clubs')).toHaveLength(2)
  expect((await browser.open('/portal/memory?tags=none')).text).toContain('No memories match these filters')
})

test('a memory says whom it is about, and leads to all memories about the same', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const store = (content: string, subject: string) =>
    call('POST', '/api/memory/store', { headers: person.session, body: { content, context: { subject } } })
  const { body: item } = await store('Ada drinks tea.', 'Ada & Co')
  await store('Grace drinks tea.', 'Grace')
  const { text } = await browser.open(`/portal/memory/${item.id}`)
  const [, link = ''] = /href="([^"]+)">(?:<[^>]+>)*Ada &amp; Co/.exec(text) ?? []
  const about = link.replaceAll('&amp;', '&')
  for (const path of [about, `${about}&q=tea`]) {
    const page = unmarked((await browser.open(path)).text)
    expect(page).toContain('Ada drinks tea.')
    expect(page).not.toContain('Grace drinks')
  }
  expect((await browser.open('/portal/memory?subject=Alan')).text).toContain('No memories match these filters')
})

test('storing is a dialog that needs no script; a link opens the form on the page, and a fault keeps it there', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const page = '/portal/memory'
  const closed = (await browser.open(page)).text
  expect(closed).toMatch(/<button[^>]*popovertarget="store"/)
  expect(closed).toMatch(/<div class="dialog dialog-wide" id="store" popover="auto" role="dialog"/)
  const opened = (await browser.open(`${page}?store`)).text
  expect(opened).toMatch(/<section class="card" id="store"/)
  expect(opened).not.toContain('popovertarget="store"')
  const refused = await browser.send(page, page, { project_id: person.projectId, text: 'Ada', tags: 'x'.repeat(65) })
  expect(refused.status).toBe(422)
  expect(refused.text).toMatch(/<section class="card" id="store".*x{65}.*field-error/s)
})

test('the model is named where a similarity is shown, and nowhere else', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  await call('POST', '/api/memory/store', {
    headers: person.session,
    body: { content: 'Ada drinks tea.', wait_ms: 5_000 },
  })
  const named = /Similarity is by the local model <code>embedded\//
  expect((await browser.open('/portal/memory?q=tea')).text).toMatch(named)
  expect((await browser.open('/portal/memory?q=tea&mode=keyword')).text).not.toMatch(named)
})

test('the search can be sent from a program as it is', async () => {
  const person = await newPerson()
  const { text } = await new Browser(person).open('/portal/memory?q=who%27s+there&mode=keyword&tags=a')
  const [, copied = ''] = /data-copy="(curl [^"]+)"/.exec(text) ?? []
  const line = copied.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
  const [, body = ''] = /-d '(.*)'$/s.exec(line) ?? []
  const sent = await call('POST', '/api/memory/search', {
    key: person.key,
    body: JSON.parse(body.replaceAll(`'\\''`, "'")),
  })
  expect(sent.status).toBe(200)
  expect(JSON.parse(body.replaceAll(`'\\''`, "'"))).toMatchObject({ query: "who's there", mode: 'keyword' })
})
