import { expect, test } from 'vitest'
import { OTHER_SAMPLE_TEXT, SAMPLE_QUESTION, SAMPLE_TEXT } from '../../src/core/sample.ts'
import { newPerson } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { ctxOf, embedded, stored } from '../support/search.ts'
import { system } from '../support/world.ts'

/** The results of a search page, each as its words and its bar. */
function resultsIn(html: string): { text: string; bar: string }[] {
  const list = /<section[^>]*id="results"[\s\S]*?<\/section>/.exec(html)?.[0] ?? ''
  return [...list.matchAll(/<li>(?=<a )([\s\S]*?)<\/li>(?=<li><a |<\/ol>)/g)].map(([, one = '']) => ({
    text: one
      .replaceAll(/<svg[\s\S]*?<\/svg>/g, ' ')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' '),
    bar: /<svg class="meter"[\s\S]*?<\/svg>/.exec(one)?.[0] ?? '',
  }))
}

/** Widths of the parts of a bar, of 100. */
const partsOf = (bar: string): Record<string, number> =>
  Object.fromEntries(
    [...bar.matchAll(/class="score-(\w+)"[^>]* width="([\d.]+)"/g)].map(([, name = '', width]) => [
      name,
      Number(width),
    ]),
  )

test('a result says why it is there, and its bar draws both parts of its score', async () => {
  const person = await newPerson()
  const ctx = ctxOf(person)
  await embedded(ctx, [SAMPLE_TEXT, OTHER_SAMPLE_TEXT])
  await stored(ctx, 'Which shelf is it on?')
  const { text } = await new Browser(person).open(`/portal/memory?q=${encodeURIComponent(SAMPLE_QUESTION)}`)
  expect(text).toContain(`<code>${system.embedder.model}</code>.</p>`)
  const results = resultsIn(text)
  const [byMeaning] = results.filter((one) => one.text.includes(SAMPLE_TEXT))
  expect(byMeaning?.text).toMatch(
    /Its meaning is close, in other words\. 0\.\d{3} meaning 0\.\d{3}, #1 similarity 0\.\d{3}/,
  )
  const { meaning = 0, ...others } = partsOf(byMeaning?.bar ?? '')
  expect([others, meaning > 0]).toEqual([{}, true])
  const score = Number(/aria-label="Score ([\d.]+):/.exec(byMeaning?.bar ?? '')?.[1])
  expect(score).toBeCloseTo(meaning / 100, 3)
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
  expect(text).not.toContain('Meaning 50 %')
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
  const { keyword = 0, meaning = 0 } = partsOf(both?.bar ?? '')
  expect(Math.min(keyword, meaning)).toBeGreaterThan(0)
  expect(pending?.text).toContain('It contains words of the question. Its meaning is not embedded yet.')
  const byKeyword = (await new Browser(person).open('/portal/memory?q=blue+kettle&mode=keyword')).text
  expect(resultsIn(byKeyword)[0]?.text).toContain('It contains words of the question. ')
  expect(byKeyword).toContain('Keyword 100 %')
})
