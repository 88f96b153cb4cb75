import { expect, test } from 'vitest'
import { newPerson, type Person } from '../support/oauth.ts'
import { Browser, locationOf } from '../support/portal.ts'
import { call } from '../support/world.ts'

const store = async (person: Person, body: object): Promise<string> => {
  const stored = await call('POST', '/api/memory/store', { headers: person.session, body })
  expect(stored.status).toBe(201)
  return stored.body.id
}

const MAX_OPERATIONS = 50

/** An item whose text changes from `texts[0]` to the last one. */
async function storeTexts(person: Person, [first, ...further]: readonly string[]): Promise<string> {
  const id = await store(person, { content: first })
  for (let done = 0; done < further.length; done += MAX_OPERATIONS) {
    const operations = further.slice(done, done + MAX_OPERATIONS).map((content) => ({ op: 'update', id, content }))
    const changed = await call('POST', '/api/memory/batch', { headers: person.session, body: { operations } })
    expect(changed.body).toMatchObject({ error_count: 0 })
  }
  return id
}

const historyIn = (html: string): string => /<ol class="timeline"[\s\S]*?<\/ol>/.exec(html)?.[0] ?? ''
const titlesIn = (html: string): string[] =>
  [...historyIn(html).matchAll(/<strong>([^<]+)</g)].map(([, title = '']) => title)
const nextIn = (html: string): string => /href="([^"]*)">Older/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''

test('the history has each text with what changed, and brings an earlier one back', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const id = await store(person, { content: 'Ada drinks black tea.' })
  const page = `/portal/memory/${id}`
  expect(historyIn((await browser.open(page)).text)).toContain('<strong>Stored</strong>')
  await browser.send(page, page, { text: 'Ada drinks <green> tea.', metadata: '' })
  await browser.send(page, page, { text: 'Ada drinks coffee.', metadata: '' })
  const history = historyIn((await browser.open(page)).text)
  expect([...history.matchAll(/<strong>([^<]+)</g)].map(([, title]) => title)).toEqual([
    'The text above',
    'Version 2',
    'Stored',
  ])
  expect(history).toMatch(/<del>black<\/del>.*<ins>&lt;green&gt;<\/ins>/s)
  expect(history.match(/<strong>(?:Version 2|Stored)<.*?by (?:<!-- -->)?you/gs)).toHaveLength(2)
  const back = await browser.send(page, `${page}/bring-back`, { version: '1', seen: '3' })
  expect(locationOf(back)).toBe(page)
  const { text } = await browser.open(page)
  expect(text).toContain('The text of version 1 is back.')
  expect(text).toMatch(/class="card hero"[^>]*><p class="text-block"><bdi>Ada drinks black tea\./)
  expect(historyIn(text)).toContain('<strong>Version 3</strong>')
})

test('what cannot be brought back is told: a version that nobody kept, and any of a retired memory', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const page = `/portal/memory/${await store(person, { content: 'Ada drinks tea.' })}`
  await browser.send(page, page, { text: 'Ada drinks mate.', metadata: '' })
  for (const version of ['7', 'first', '', '1e30']) {
    const lost = await browser.send(page, `${page}/bring-back`, { version, seen: '2' })
    expect([lost.status, lost.text.includes('no longer kept'), lost.text.includes('Ada drinks mate.')]).toEqual([
      404,
      true,
      true,
    ])
  }
  expect((await browser.open(page)).text).toContain(`action="${page}/bring-back"`)
  await browser.send(page, `${page}/retire`, { reason: 'she moved' })
  const { text } = await browser.open(page)
  expect(text).not.toContain(`action="${page}/bring-back"`)
  expect(historyIn(text)).toMatch(/<strong>Retired<\/strong>.*she moved/s)
  const refused = await browser.send(page, `${page}/bring-back`, { version: '1', seen: '3' })
  expect([refused.status, refused.text.includes('restore it first')]).toEqual([409, true])
})

test('a bring-back of a page that is out of date changes nothing, and says so on the page', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const page = `/portal/memory/${await storeTexts(person, ['Tea.', 'Mate.', 'Coffee.'])}`
  const [, seen = ''] = /name="seen" value="(\d+)"/.exec((await browser.open(page)).text) ?? []
  expect(seen).toBe('3')
  await browser.send(page, page, { text: 'Cocoa.', metadata: '' })
  for (const stale of [seen, '', 'x']) {
    const refused = await browser.send(page, `${page}/bring-back`, { version: '1', seen: stale })
    expect([refused.status, refused.text.includes('was changed after you opened the page')]).toEqual([412, true])
    expect(refused.text).toContain('<bdi>Cocoa.')
  }
  const unknown = `/portal/memory/mem_${'0'.repeat(26)}`
  expect((await browser.send(page, `${unknown}/bring-back`, { version: '1', seen: '1' })).status).toBe(404)
})

test('a page of the history ends with a difference too, and the next one goes on behind it', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const texts = Array.from({ length: 13 }, (_, nth) => `Ada has ${nth + 1} cups of tea.`)
  const page = `/portal/memory/${await storeTexts(person, texts)}`
  const first = (await browser.open(page)).text
  const numbers = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, nth) => `Version ${from - nth}`)
  expect(titlesIn(first)).toEqual(['The text above', ...numbers(12, 3)])
  expect(historyIn(first).match(/<del>/g)).toHaveLength(11)
  expect(historyIn(first)).toMatch(/<strong>Version 3<.*<del>2<\/del><ins>3<\/ins>/s)
  const second = (await browser.open(nextIn(first))).text
  expect(titlesIn(second)).toEqual(['Version 2', 'Stored'])
  expect(historyIn(second)).toMatch(/<del>1<\/del><ins>2<\/ins>.*<p class="text-block"><bdi>Ada has 1 cups/s)
  // Events happen to the memory as it is now.
  expect([first, second].map((html) => html.includes('data-live-events'))).toEqual([true, false])
  expect(nextIn(second)).toBe('')
})

test('where the first texts are no longer kept, the history says so', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const id = await storeTexts(
    person,
    Array.from({ length: 53 }, (_, nth) => `Ada has ${nth + 1} cups.`),
  )
  let page = `/portal/memory/${id}`
  for (let next = page; next !== ''; next = nextIn((await browser.open(page)).text)) page = next
  const { text } = await browser.open(page)
  expect(titlesIn(text)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((nth) => `Version ${nth}`).concat('Stored'))
  expect(historyIn(text)).toContain('The texts before version 3 are no longer kept.')
})

test('long texts are shown whole on the page that begins with them', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const long = (word: string) => `${word} ${'cup '.repeat(15_000)}end of ${word}`
  const id = await storeTexts(person, ['one', 'two', 'three'].map(long).concat('Ada has tea.'))
  const { text } = await browser.open(`/portal/memory/${id}`)
  expect(['one', 'two', 'three'].map((word) => text.includes(`end of ${word}</bdi>`))).toEqual([false, false, true])
  const [, whole = ''] = /href="([^"]*)">Show all of it<span class="sr-only"> of version 1</.exec(text) ?? []
  expect((await browser.open(whole)).text).toContain('end of one</bdi>')
})
