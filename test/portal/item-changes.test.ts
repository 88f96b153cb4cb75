import { expect, test } from 'vitest'
import type { MemoryItem } from '../../src/memory/index.ts'
import { SAMPLE_ITEM } from '../../src/memory/sample.ts'
import { Api } from '../../src/portal/api.ts'
import { changesOnPage, readChanges, readSuperseded, type Change } from '../../src/portal/memory/history/changes.ts'
import { newPerson, type Person } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { until } from '../support/until.ts'
import { call } from '../support/world.ts'

const store = async (person: Person, body: object): Promise<MemoryItem> =>
  (await call('POST', '/api/memory/store', { headers: person.session, body })).body
const patch = (person: Person, { id }: MemoryItem, body: object) =>
  call('PATCH', `/v1/memory/items/${id}`, { headers: person.session, body })
const historyIn = (html: string): string => /<ol class="timeline"[\s\S]*?<\/ol>\s*<template/.exec(html)?.[0] ?? ''
const titlesIn = (html: string): string[] =>
  [...historyIn(html).matchAll(/<strong>([^<]+)</g)].map(([, title = '']) => title)

test('the history tells retirements, restorations and changes of tags, each with who did it', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const item = await store(person, { content: 'Ada drinks tea.' })
  const page = `/portal/memory/${item.id}`
  await browser.send(page, page, { text: 'Ada drinks mate.', tags: '', metadata: '' })
  await browser.send(page, page, { text: 'Ada drinks mate.', tags: 'drinks', metadata: '' })
  await browser.send(page, `${page}/retire`, { reason: 'a first reason' })
  await browser.send(page, `${page}/restore`, {})
  await browser.send(page, `${page}/retire`, { reason: 'a second reason' })
  const { text } = await until(async () => {
    const opened = await browser.open(page)
    expect(titlesIn(opened.text).filter((title) => title === 'Retired')).toHaveLength(2)
    expect(titlesIn(opened.text)).toContain('Restored')
    expect(opened.text).toMatch(/<strong>Retired<[^]*?by (?:<!-- -->)?you[^]*?a second reason/)
    return opened
  })
  const titles = titlesIn(text)
  expect(titles.slice(0, 3)).toEqual(['Retired', 'Restored', 'Retired'])
  expect(titles.slice(-2)).toEqual(['The text above', 'Stored'])
  // The reason is told once, and so is when.
  expect(text.split('a second reason')).toHaveLength(2)
  expect(text).toContain('The text was changed')
})

test('a memory shows what it superseded, and what superseded it', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const old = [
    await store(person, { content: 'The office is in Lisbon.' }),
    await store(person, { content: 'In Porto.' }),
  ]
  await call('POST', `/v1/memory/items/${(await store(person, { content: 'Other.' })).id}/retire`, {
    headers: person.session,
  })
  const next = await store(person, { content: 'It is in Braga.', supersedes: old.map(({ id }) => id) })
  const { text } = await until(async () => {
    const opened = await browser.open(`/portal/memory/${next.id}`)
    expect(opened.text).toContain('it superseded')
    return opened
  })
  const [, listed = ''] = /it superseded:<\/p>(<ol[^]*?<\/ol>)/.exec(text) ?? []
  expect(old.map(({ id }) => listed.includes(`href="/portal/memory/${id}"`))).toEqual([true, true])
  expect(listed).not.toContain('Other.')
  const superseded = (await browser.open(`/portal/memory/${old[0]?.id}`)).text
  expect(superseded.match(/It is in Braga\./g)).toHaveLength(1)
  expect(superseded).toContain('superseded by:')
  expect(superseded).not.toContain('it superseded')
})

test('under a text that was changed, the page does not say that its text was stored', async () => {
  const person = await newPerson()
  const item = await store(person, { content: 'Ada drinks tea.' })
  const hero = async () =>
    /class="card hero"[^]*?<\/section>/.exec((await new Browser(person).open(`/portal/memory/${item.id}`)).text)?.[0]
  expect(await hero()).not.toContain('The text was changed')
  await patch(person, item, { tags: ['drinks'] })
  expect(await hero()).not.toContain('The text was changed')
  await patch(person, item, { content: 'Ada drinks mate.' })
  expect(await hero()).toContain('The text was changed')
})

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const change = (kind: Change['kind'], second: number, by = 'usr_a'): Change => ({
  kind,
  at: at(second),
  by,
  via: 'session',
})
const text = (version: number, second: number) => ({
  version,
  text: `${version}`,
  written_by: 'usr_a',
  written_at: at(second),
  written_via: null,
})
const SAMPLE: MemoryItem = { ...SAMPLE_ITEM, created_at: at(0) }

test('who changed the text is told where the log says it for certain', () => {
  const versions = { shown: [text(1, 0)], beyond: null, next: null }
  const byB = change('updated', 20, 'usr_b')
  const item = (version: number): MemoryItem => ({ ...SAMPLE, version, updated_at: at(90) })
  expect(changesOnPage([byB], versions, item(2))).toMatchObject({ ofText: byB, further: [] })
  const retired = change('retired', 40)
  expect(changesOnPage([retired, byB], versions, item(3))).toMatchObject({ ofText: byB, further: [retired] })
  // One of two changes is of the text, or the log lacks one.
  const other = change('updated', 30)
  expect(changesOnPage([other, byB], versions, item(3))).toMatchObject({ ofText: null, further: [other, byB] })
  expect(changesOnPage([byB], versions, item(3))).toMatchObject({ ofText: null, further: [byB] })
  // The change that brought an earlier text is that text's.
  const two = { shown: [text(2, 10), text(1, 0)], beyond: null, next: null }
  expect(changesOnPage([byB, change('updated', 10)], two, item(3))).toMatchObject({ ofText: byB, further: [] })
})

test('each page of the history has the changes between its texts', () => {
  const all = [change('restored', 50), change('retired', 35), change('retired', 15), change('restored', 5)]
  const item: MemoryItem = { ...SAMPLE, version: 9 }
  const first = changesOnPage(all, { shown: [text(3, 40)], beyond: text(2, 20), next: 'x' }, item)
  expect(first.further.map((one) => one.at)).toEqual([at(50), at(35)])
  const second = changesOnPage(all, { shown: [text(2, 20), text(1, 0)], beyond: null, next: null }, null)
  expect(second.further.map((one) => one.at)).toEqual([at(15), at(5)])
})

test('without the log there is no change, and no answer but an error of its own ends the page', async () => {
  const apiOf = (code: string, status: number) => ({
    api: new Api(
      async () => Response.json({ code, detail: 'Later.' }, { status, headers: { 'Retry-After': '60' } }),
      new Request('https://test.invalid/portal'),
      null,
    ),
  })
  for (const ctx of [apiOf('rate_limited', 429), apiOf('dependency_unavailable', 503), apiOf('forbidden', 403)]) {
    expect(await readChanges(ctx, SAMPLE)).toEqual([])
    expect(await readSuperseded(ctx, SAMPLE)).toEqual([])
  }
  await expect(readChanges(apiOf('internal', 500), SAMPLE)).rejects.toMatchObject({ code: 'internal' })
})
