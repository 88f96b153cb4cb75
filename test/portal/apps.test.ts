/** @module-tag long */
import { expect, test } from 'vitest'
import { newPerson } from '../support/oauth.ts'
import { Browser, locationOf } from '../support/portal.ts'

test('an OAuth app is registered, changed, given a new secret, and deleted after its name is typed', async () => {
  const browser = new Browser(await newPerson())
  const fields = {
    name: 'Notes',
    type: 'confidential',
    redirect_uris: 'https://notes.example/callback',
    scope: ['read:memory'],
    refresh_grace_seconds: '30',
  }
  const page = '/portal/apps/new'
  const bad = await browser.send(page, '/portal/apps', { ...fields, redirect_uris: 'http://notes.example/callback' })
  expect(bad.status).toBe(422)
  expect(bad.text).toMatch(/value="Notes"[\s\S]*field-error/)
  const path = locationOf(await browser.send(page, '/portal/apps', fields))
  expect(path).toMatch(/^\/portal\/apps\/app_/)
  const secretShown = async (): Promise<string> => /rcx_\w+/.exec((await browser.open(path)).text)?.[0] ?? ''
  const first = await secretShown()
  expect(first).not.toBe('')
  expect(await secretShown()).toBe('')

  const redirects = 'https://notes.example/callback\r\nhttps://notes.example/other'
  await browser.send(path, path, { ...fields, name: 'Meeting notes', redirect_uris: redirects })
  const changed = (await browser.open(path)).text
  expect(changed).toContain('Meeting notes')
  expect(changed).toContain('https://notes.example/other')
  await browser.send(path, `${path}/rotate-secret`, { overlap_seconds: '0' })
  const second = await secretShown()
  expect(second).toMatch(/^rcx_/)
  expect(second).not.toBe(first)

  expect((await browser.send(path, `${path}/delete`, { confirm_name: 'Notes' })).status).toBe(422)
  const gone = await browser.send(path, `${path}/delete`, { confirm_name: 'Meeting notes' })
  expect(locationOf(gone)).toBe('/portal/apps')
  expect((await browser.open(path)).status).toBe(404)
})
