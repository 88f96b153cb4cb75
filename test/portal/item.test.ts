import { expect, test } from 'vitest'
import { cookieOf, newPerson, type Person } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { addMember, call, db, newSession } from '../support/world.ts'

const store = async (person: Person, body: object): Promise<string> => {
  const stored = await call('POST', '/api/memory/store', { headers: person.session, body })
  expect(stored.status).toBe(201)
  return stored.body.id
}

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

test('a memory about somebody leads to the erasure of all about them', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const about = await store(person, { content: 'Ada drinks tea.', context: { subject: 'Ada & Co' } })
  expect((await browser.open(`/portal/memory/${about}`)).text).toContain(
    'href="/portal/erasures/new?subject=Ada+%26+Co"',
  )
  // An erasure covers the projects that one administers.
  for (const [role, leads] of [
    ['admin', true],
    ['editor', false],
    ['viewer', false],
  ] as const) {
    const colleague = new Browser({ cookie: cookieOf(await newSession(await addMember(person, role))) })
    const { status, text } = await colleague.open(`/portal/memory/${about}`)
    expect([role, status, text.includes('Erase subject')]).toEqual([role, 200, leads])
  }
  const other = await store(person, { content: 'Tea is a drink.' })
  expect((await browser.open(`/portal/memory/${other}`)).text).not.toContain('Erase subject')
})
