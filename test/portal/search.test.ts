import { expect, test } from 'vitest'
import { OTHER_SAMPLE_TEXT, SAMPLE_QUESTION, SAMPLE_TEXT } from '../../src/core/sample.ts'
import { markedWords } from '../../src/memory/index.ts'
import { newPerson } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { ctxOf, embedded, stored } from '../support/search.ts'
import { call, system } from '../support/world.ts'

/** The results of a search page, each as its words and its bar. */
function resultsIn(html: string): { text: string; bar: string; html: string }[] {
  const list = /<ol class="list results">[\s\S]*?<\/ol>/.exec(html)?.[0] ?? ''
  return [...list.matchAll(/<li>(?=<span class="rank")([\s\S]*?)<\/li>(?=<li><span class="rank"|<\/ol>)/g)].map(
    ([, one = '']) => ({
      html: one,
      text: one
        .replaceAll(/<svg[\s\S]*?<\/svg>/g, ' ')
        .replaceAll(/<\/?(?:mark|bdi)>/g, '')
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' '),
      bar: /<svg class="meter"[\s\S]*?<\/svg>/.exec(one)?.[0] ?? '',
    }),
  )
}

/** Widths of the parts of a bar, of 100. */
const partsOf = (bar: string): Record<string, number> =>
  Object.fromEntries(
    [...bar.matchAll(/class="score-(\w+)"[^>]* width="([\d.]+)"/g)].map(([, name = '', width]) => [
      name,
      Number(width),
    ]),
  )
const widthOf = (bar: string): number => Object.values(partsOf(bar)).reduce((sum, width) => sum + width, 0)
const scoreIn = (text: string): number => Number(/score (0\.\d{3})/.exec(text)?.[1])

test('a result says why it is there, and its bar is relative to the best one', async () => {
  const person = await newPerson()
  const ctx = ctxOf(person)
  await embedded(ctx, [SAMPLE_TEXT, OTHER_SAMPLE_TEXT])
  await stored(ctx, 'Which shelf is it on?')
  const { text } = await new Browser(person).open(`/portal/memory?q=${encodeURIComponent(SAMPLE_QUESTION)}`)
  expect(text).toContain(`<code>${system.embedder.model}</code>.</p>`)
  const results = resultsIn(text)
  const byMeaning = results.find((one) => one.text.includes(SAMPLE_TEXT))
  expect(byMeaning?.text).toMatch(
    /Why this result Its meaning is close, in other words\. score 0\.\d{3} semantic 0\.\d{3} \( ?#1, weight \d+ % ?\) similarity 0\.\d{3}/,
  )
  const { semantic = 0, ...others } = partsOf(byMeaning?.bar ?? '')
  expect([others, semantic > 0]).toEqual([{}, true])
  const best = scoreIn(results[0]?.text ?? '')
  for (const { bar, text: said } of results) {
    expect(widthOf(bar)).toBeCloseTo((100 * scoreIn(said)) / best, -1)
    expect(bar).toContain(`aria-label="${Math.round(widthOf(bar))} % of the best result"`)
  }
  expect(widthOf(results[0]?.bar ?? '')).toBeCloseTo(100, 1)
})

test('words of the question are marked in each of their forms, whatever a text holds', async () => {
  const person = await newPerson()
  const ctx = ctxOf(person)
  await stored(ctx, 'The <b>kettles</b> whistle; a team boils tea. Über Kettle-Street.')
  const { text } = await new Browser(person).open('/portal/memory?q=kettle+tea&mode=keyword')
  const [result] = resultsIn(text)
  expect([...(result?.html ?? '').matchAll(/<mark>(.*?)<\/mark>/g)].map(([, word]) => word)).toEqual([
    'kettles',
    'tea',
    'Kettle',
  ])
  expect(result?.html).toContain('&lt;b&gt;<mark>')
})

test.each([
  ['東京の天気', '東京', ['東京']],
  ['Der Kessel und der Kesselflicker.', 'Kessel', ['Kessel']],
  ['Der Kesselflicker.', 'Kessel', ['Kesselflicker']],
  ['Lunch 🍣 costs €12, not $12.', '🍣 €', ['🍣', '€']],
  ['nothing of it', 'kettle', []],
  ['', 'kettle', []],
])('of %j the words of %j are marked', (text, query, marked) => {
  const pieces = markedWords(text, query, system.vocabulary)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  expect(pieces.flatMap((piece) => (piece.isAsked ? [piece.text] : []))).toEqual(marked)
})

test('results with the same text are one, with a link to each of the others', async () => {
  const person = await newPerson()
  const ctx = ctxOf(person)
  const twins = [await stored(ctx, 'A blue kettle.'), await stored(ctx, 'A  blue kettle.\n')]
  await stored(ctx, 'A blue kettle, and a red one.')
  const { text } = await new Browser(person).open('/portal/memory?q=blue+kettle&mode=keyword')
  const results = resultsIn(text)
  expect(results).toHaveLength(2)
  const folded = results.find((one) => one.text.includes('1 more with the same text'))
  for (const { id } of twins) expect(folded?.html).toContain(`/portal/memory/${id}`)
  expect(text).toContain('3 found in')
})

test('the same words of another speaker, about another subject or in another namespace are no twins', async () => {
  const person = await newPerson()
  const said = (conversation_id: string, name: string, context: object) =>
    call('POST', '/v1/memory/ingest', {
      headers: person.session,
      body: { conversation_id, context, messages: [{ role: 'user', name, content: 'The kettle is blue.' }] },
    })
  await said('1', 'Ada', {})
  await said('2', 'Grace', {})
  await said('3', 'Ada', { subject: 'kettle' })
  await said('4', 'Ada', { namespace: 'shed' })
  await said('5', 'Ada', {})
  const { text } = await new Browser(person).open('/portal/memory?q=kettle&mode=keyword')
  expect(text).toContain('5 found in')
  const results = resultsIn(text)
  expect(results).toHaveLength(4)
  expect(results.filter((one) => one.text.includes('1 more with the same text'))).toHaveLength(1)
})

test.each([
  ['+275760-09-13', 'refused'],
  ['-000001-01-01', 'refused'],
  ['2024-3-1', 'refused'],
  ['2024-03-01T10:00', 'refused'],
  ['9999-12-31', 'found'],
  ['0001-01-01', 'found'],
])('days of the address: %s is %s', async (day, answer) => {
  const person = await newPerson()
  await stored(ctxOf(person), 'The kettle is blue.')
  const browser = new Browser(person)
  for (const name of ['from', 'until'])
    for (const q of ['', '&q=kettle&mode=keyword']) {
      const page = await browser.open(`/portal/memory?${name}=${encodeURIComponent(day)}${q}`)
      expect([page.status, page.text.includes('notice-danger')]).toEqual([200, answer === 'refused'])
    }
})

test('a search and the list are narrowed by who said it, about whom, and by the days', async () => {
  const person = await newPerson()
  const said = (name: string, content: string, day: string) => ({
    role: 'user',
    name,
    content,
    timestamp: `${day}T23:30:00Z`,
  })
  const messages = [
    said('Ada', 'The kettle is blue.', '2024-03-01'),
    said('Grace', 'The kettle is red.', '2024-03-02'),
    said('Ada', 'The kettle is green.', '2024-03-03'),
  ]
  const body = { conversation_id: 'chat', messages, context: { subject: 'kettle' } }
  expect((await call('POST', '/v1/memory/ingest', { headers: person.session, body })).status).toBe(200)
  const browser = new Browser(person)
  const shown = async (query: string) => {
    const { text } = await browser.open(`/portal/memory?${query}`)
    return ['blue', 'red', 'green'].filter((colour) =>
      new RegExp(`The (?:</bdi>)?(?:<mark>)?kettle(?:</mark>)? is ${colour}`).test(text),
    )
  }
  for (const q of ['', '&q=kettle&mode=keyword']) {
    expect(await shown(`speaker=Ada${q}`)).toEqual(['blue', 'green'])
    expect(await shown(`from=2024-03-02${q}`)).toEqual(['red', 'green'])
    expect(await shown(`until=2024-03-02${q}`)).toEqual(['blue', 'red'])
    expect(await shown(`from=2024-03-02&until=2024-03-02${q}`)).toEqual(['red'])
    expect(await shown(`from=2024-03-02&until=2024-03-02&zone=Asia/Tokyo${q}`)).toEqual(['blue'])
    expect(await shown(`until=2024-03-02&zone=Nowhere${q}`)).toEqual(['blue', 'red'])
    expect(await shown(`subject=nothing${q}`)).toEqual([])
    const refused = await browser.open(`/portal/memory?from=yesterday${q}`)
    expect([refused.status, /notice-danger/.test(refused.text)]).toEqual([200, true])
  }
  for (const [zone, named] of [
    ['', 'UTC'],
    ['Asia/Tokyo', 'Asia/Tokyo'],
    ['<b>', 'UTC'],
  ]) {
    const { text } = await browser.open(`/portal/memory?zone=${zone}`)
    expect(text.match(/data-day-zone="[^"]*"> \(([^)]*)\)</g), zone).toHaveLength(2)
    expect(text).toContain(` (${named})</span>`)
  }
})

test('what an item beside it lends has a part of its own', async () => {
  const person = await newPerson()
  const context = { conversation_id: 'chat-17' }
  await embedded(ctxOf(person), ['Is the kettle blue?', 'Yes, it was red before.'], { context })
  const { text } = await new Browser(person).open('/portal/memory?q=blue+kettle')
  const beside = resultsIn(text).find((one) => one.text.includes('Yes, it was'))
  expect(beside?.text).toMatch(/A neighbouring item in its conversation is relevant\. .*neighbour 0\.\d{3}/)
  expect(partsOf(beside?.bar ?? '')['neighbor']).toBeGreaterThan(0)
  expect(text).toMatch(/class="score-neighbor"[^]*Neighbour<\/li>/)
})

test('in a language that the model does not know, the key says that meaning counts less', async () => {
  const person = await newPerson()
  await embedded(ctxOf(person), ['Der blaue Kessel pfeift.'])
  const { text } = await new Browser(person).open('/portal/memory?q=Welcher+Kessel+pfeift%3F')
  expect(text).toContain('It knows few words of this question, so meaning counts less.')
  expect(text).not.toMatch(/semantic [^)]*weight 50 %/)
  const words = (await new Browser(person).open('/portal/memory?q=Kessel&mode=keyword')).text
  expect(words).not.toContain('meaning counts less')
})

test('a result by keyword says so, and that it is not embedded yet', async () => {
  const person = await newPerson()
  const ctx = ctxOf(person)
  await embedded(ctx, ['The kettle is blue.'])
  await stored(ctx, 'Another kettle stands in the shed.')
  const { text } = await new Browser(person).open('/portal/memory?q=blue+kettle')
  const [both, pending] = resultsIn(text)
  expect(both?.text).toContain('It contains words of the question, and its meaning is close.')
  const { keyword = 0, semantic = 0 } = partsOf(both?.bar ?? '')
  expect(Math.min(keyword, semantic)).toBeGreaterThan(0)
  expect(pending?.text).toContain('It contains words of the question. Its meaning is not embedded yet.')
  const byKeyword = (await new Browser(person).open('/portal/memory?q=blue+kettle&mode=keyword')).text
  expect(resultsIn(byKeyword)[0]?.text).toContain('It contains words of the question. ')
  expect(byKeyword).toContain('weight 100 %')
})
