import { expect, test } from 'vitest'
import { differenceOf } from '../../src/portal/memory/difference.tsx'
import { newPerson, type Person } from '../support/oauth.ts'
import { Browser, locationOf } from '../support/portal.ts'
import { addMember, call, db } from '../support/world.ts'

const store = async (person: Person, body: object): Promise<string> => {
  const stored = await call('POST', '/api/memory/store', { headers: person.session, body })
  expect(stored.status).toBe(201)
  return stored.body.id
}
const historyIn = (html: string): string => /<ol class="timeline"[\s\S]*?<\/ol>/.exec(html)?.[0] ?? ''

test('the text comes first; the form to change it stands behind a button, and on the page where it was refused', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const page = `/portal/memory/${await store(person, { content: 'Ada drinks tea.' })}`
  const { text } = await browser.open(page)
  expect(text).toMatch(/<section class="card hero"[^>]*><p class="text-block"><bdi>Ada drinks tea\./)
  expect(text).toContain('Stored by you')
  expect(text).toMatch(
    /<button[^>]*popovertarget="edit"[^>]*>Edit<\/button><div [^>]*id="edit" popover="auto" role="dialog"/,
  )
  expect(text).toMatch(/<button[^>]*popovertarget="retire"/)
  const refused = await browser.send(page, page, { text: 'Ada drinks mate.', tags: 'x'.repeat(65), metadata: '' })
  expect(refused.status).toBe(422)
  expect(refused.text).toMatch(/<section class="card" id="edit".*Ada drinks mate\..*field-error/s)
  expect(refused.text).not.toContain('popovertarget="edit"')
})

test('names say who stored a memory and through what; a deleted key reads as one, and the ids can be copied', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const member = await addMember(person, 'editor')
  await db.batch([
    db.statement('update users set name = :name where id = :id', { name: 'Grace <3', id: member.userId }),
    db.statement('update api_keys set name = :name where id = :id', { name: 'Nightly job', id: member.keyId }),
  ])
  const { body } = await call('POST', '/api/memory/store', { key: member.key, body: { content: 'Ada drinks tea.' } })
  const page = `/portal/memory/${body.id}`
  const named = (name: string, id: string) =>
    new RegExp(`title="${id}"><span>.{0,40}${name}.{0,200}data-copy="${id}"`, 's')
  const { text } = await browser.open(page)
  expect(text).toMatch(named('Grace &lt;3', member.userId))
  expect(text).toMatch(named('Nightly job', member.keyId))
  expect(text).not.toContain(`<bdi>${member.keyId}`)
  await db.write('delete from api_keys where id = :id', { id: member.keyId })
  expect((await browser.open(page)).text).toMatch(named('a deleted key', member.keyId))
})

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
  expect(history.match(/by (?:<!-- -->)?you/g)).toHaveLength(2)
  const back = await browser.send(page, `${page}/bring-back`, { version: '1' })
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
  for (const version of ['7', 'first', '']) {
    expect((await browser.send(page, `${page}/bring-back`, { version })).status).toBe(404)
  }
  expect((await browser.open(page)).text).toContain(`action="${page}/bring-back"`)
  await browser.send(page, `${page}/retire`, { reason: 'she moved' })
  const { text } = await browser.open(page)
  expect(text).not.toContain(`action="${page}/bring-back"`)
  expect(historyIn(text)).toMatch(/<strong>Retired<\/strong>.*she moved/s)
  const refused = await browser.send(page, `${page}/bring-back`, { version: '1' })
  expect([refused.status, refused.text.includes('restore it first')]).toEqual([409, true])
})

test('a turn stands among those before and after it, each as who said it', async () => {
  const person = await newPerson()
  const messages = Array.from({ length: 9 }, (_, nth) => ({
    role: nth % 2 === 0 ? 'user' : 'assistant',
    content: `Line ${nth}.`,
    ...(nth % 2 === 0 ? { name: 'Grace' } : {}),
  }))
  const body = { conversation_id: 'chat-7', messages }
  const ingested = await call('POST', '/v1/memory/ingest', { headers: person.session, body })
  expect(ingested.status).toBe(200)
  const { text } = await new Browser(person).open(`/portal/memory/${ingested.body.messages[4].ids[0]}`)
  const [, chat = ''] = /<ol class="chat">([\s\S]*?)<\/ol>/.exec(text) ?? []
  expect([...chat.matchAll(/Line \d/g)].map(([line]) => line)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((nth) => `Line ${nth}`),
  )
  expect(chat.match(/<li class="turn turn-user" aria-current="true">.*?<\/li>/s)?.[0]).toContain('Line 4.')
  expect(chat).toContain('Grace')
  expect(chat).toContain('Assistant')
  const note = await store(person, { content: 'Alone.' })
  expect((await new Browser(person).open(`/portal/memory/${note}`)).text).not.toContain('class="chat"')
})

test('a memory about somebody leads to the erasure of all about them', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const about = await store(person, { content: 'Ada drinks tea.', context: { subject: 'Ada & Co' } })
  expect((await browser.open(`/portal/memory/${about}`)).text).toContain(
    'href="/portal/erasures/new?subject=Ada+%26+Co"',
  )
  const other = await store(person, { content: 'Tea is a drink.' })
  expect((await browser.open(`/portal/memory/${other}`)).text).not.toContain('Erase subject')
})

test('a difference keeps what stands beside a change, and gives up where little is common', () => {
  const long = Array.from({ length: 200 }, (_, nth) => `word${nth}`).join(' ')
  const runs = differenceOf(`one ${long} two`, `1 ${long} 2`) ?? []
  expect(runs.map((run) => run.in)).toEqual(['before', 'after', 'both', 'before', 'after'])
  expect(runs[2]?.text).toMatch(/^ word0 .*….* word199 $/)
  expect(runs[2]?.text.length).toBeLessThan(200)
  const other = Array.from({ length: 400 }, (_, nth) => `other${nth}`).join(' ')
  expect(differenceOf(`${long} ${long}`, other)).toBeNull()
  expect(differenceOf('a'.repeat(20_001), 'b')).toBeNull()
  expect(differenceOf('same', 'same')).toEqual([{ text: 'same', in: 'both' }])
})
