import { expect, test } from 'vitest'
import { newApp, newPerson, newTokens, statusWith } from '../support/oauth.ts'
import { Browser, locationOf } from '../support/portal.ts'

test('a connected app is listed with its scopes, and is refused from its next request on after it is disconnected', async () => {
  const [person, stranger] = [await newPerson(), await newPerson()]
  const browser = new Browser(person)
  const page = '/portal/connected'
  expect((await browser.open(page)).text).toContain('No connected apps')
  const tokens = await newTokens(person, await newApp(stranger))
  const { text } = await browser.open(page)
  expect(text).toMatch(/<h3>[^]*Notes[^]*<\/h3>/)
  expect(text).toContain('Read and search your memories')
  const [, disconnect = ''] = /action="(\/portal\/connected\/grt_\w+\/disconnect)"/.exec(text) ?? []

  const foreign = new Browser(stranger)
  expect((await foreign.open(page)).text).toContain('No connected apps')
  expect((await foreign.send(page, disconnect)).status).toBe(404)
  expect(await statusWith(tokens.access_token)).toBe(403)

  expect(locationOf(await browser.send(page, disconnect))).toBe(page)
  const after = (await browser.open(page)).text
  expect(after).toContain('The app is disconnected.')
  expect(after).toContain('No connected apps')
  expect(await statusWith(tokens.access_token)).toBe(401)
})
