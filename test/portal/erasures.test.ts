/** @module-tag shards */
import { expect, test } from 'vitest'
import { cookieOf, newPerson } from '../support/oauth.ts'
import { Browser, locationOf } from '../support/portal.ts'
import { addMember, call, newSession } from '../support/world.ts'

test('a namespace is counted, erased after its name is typed, and leaves a receipt', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const headers = person.session
  await call('POST', '/api/memory/store', { headers, body: { content: 'of Ada', context: { namespace: 'ada' } } })
  expect((await browser.open('/portal/erasures')).text).toContain('No erasures')
  const check = '/portal/erasures/new?namespace=ada'
  const counted = await browser.open(check)
  expect(counted.text).toMatch(/<dt>Items<\/dt><dd>1<\/dd>/)
  expect(counted.text).toContain('This covers all projects that you administer.')
  const wrong = await browser.send(check, '/portal/erasures?namespace=ada', { confirm_name: 'Ada' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('Type the name exactly as it is shown.')
  const path = locationOf(await browser.send(check, '/portal/erasures?namespace=ada', { confirm_name: 'ada' }))
  expect(path).toMatch(/^\/portal\/erasures\/ers_/)
  const receipt = await browser.open(path)
  expect(receipt.text).toContain('The erasure is running.')
  expect(receipt.text).toContain('HMAC of the name')
  expect((await browser.open('/portal/erasures')).text).toContain(path)
  expect((await browser.open('/portal/erasures/new?kind=subject&name=Ada')).text).toMatch(/<dt>Items<\/dt><dd>0<\/dd>/)
})

test('the page of subjects leads to the memories of each and to its erasure', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  expect((await browser.open('/portal/erasures/subjects')).text).toContain('No subjects')
  // What was refused stands on the page itself.
  const refused = await browser.open(`/portal/erasures/subjects?prefix=${'x'.repeat(2_000)}`)
  expect([refused.status, refused.text]).toEqual([200, expect.stringContaining('Begins with')])
  const body = { content: 'of Ada', context: { subject: 'Ada & Co' } }
  await call('POST', '/api/memory/store', { headers: person.session, body })
  // What is retired is not among the memories that the row leads to, so the row does not count it.
  const retired = await call('POST', '/api/memory/store', { headers: person.session, body })
  await call('POST', `/v1/memory/items/${retired.body.id}/retire`, { headers: person.session, body: {} })
  const { text } = await browser.open('/portal/erasures/subjects')
  expect(text).toMatch(/data-label="Memories">1</)
  expect(text).toContain(`/portal/memory?project_id=${person.projectId}&amp;subject=Ada+%26+Co`)
  const [, erase = ''] = /href="(\/portal\/erasures\/new[^"]*)"/.exec(text) ?? []
  expect((await browser.open(erase)).text).toMatch(/<dt>Items<\/dt><dd>2<\/dd>/)
})

test('a name that is none is an error at its field, and who administers nothing is told so', async () => {
  const person = await newPerson()
  const bad = await new Browser(person).open('/portal/erasures/new?kind=namespace&name=a%20b')
  expect(bad.status).toBe(422)
  expect(bad.text).toContain('must match')
  const viewer = await addMember(person, 'viewer')
  const cookie = cookieOf(await newSession(viewer))
  const refused = await new Browser({ cookie }).open('/portal/erasures/new?namespace=ada')
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('You administer no project.')
})
