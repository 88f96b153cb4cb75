/** @module-tag long */
import { expect, test } from 'vitest'
import { MINUTE, travel } from '../support/clock.ts'
import { cookieOf, newPerson } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { Browser, locationOf } from '../support/portal.ts'
import { until } from '../support/until.ts'
import { addKey, addMember, call, newSession, system } from '../support/world.ts'

test('the owner of the tenant hands it over in the settings, and others are not asked', async () => {
  const person = await newPerson()
  await givePassword(person)
  const member = await addMember(person, 'viewer')
  const [owner, other] = [new Browser(person), new Browser({ cookie: cookieOf(await newSession(member)) })]
  const page = '/portal/settings'
  expect((await other.open(page)).text).not.toContain('Hand over')
  const form = (await owner.open(page)).text
  expect(form).toContain(`<option value="${member.userId}">`)
  expect(form).not.toContain(`<option value="${person.userId}">`)
  const nobody = await owner.send(page, `${page}/owner`, { owner_id: 'usr_none', password: PASSWORD })
  expect(nobody.status).toBe(404)
  expect(nobody.text).toContain('This person is no longer here.')
  const none = await owner.send(page, `${page}/owner`, { owner_id: '', password: PASSWORD })
  expect([none.status, none.text]).toEqual([
    422,
    expect.stringMatching(/field-error" id="field-owner_id-error">Choose a person\./),
  ])
  expect((await new Browser(await newPerson()).open(page)).text).toContain('You are the only person here')
  await owner.send(page, `${page}/owner`, { owner_id: member.userId, password: PASSWORD })
  expect((await owner.open(page)).text).toContain('The ownership was handed over.')
  expect((await other.open(page)).text).toContain('Hand over')
})

test('the owner of the tenant makes a reset link for a person of no common workspace, with the password; others are refused', async () => {
  const person = await newPerson()
  await givePassword(person)
  const apart = await addMember(person, null)
  const [owner, other] = [new Browser(person), new Browser({ cookie: cookieOf(await newSession(apart)) })]
  const page = '/portal/settings/people'
  expect((await other.open(page)).status).toBe(403)
  expect((await owner.open('/portal/settings')).text).toContain(`href="${page}"`)
  expect((await owner.open(page)).text).toContain(apart.email)
  const wrong = await owner.send(page, page, { user_id: apart.userId, password: 'something else' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('The password is wrong.')
  expect(locationOf(await owner.send(page, page, { user_id: apart.userId, password: PASSWORD }))).toBe(page)
  expect((await owner.open(page)).text).toMatch(/\/portal\/reset-password\?token=rcp_/)
  expect((await owner.open(page)).text).not.toContain('token=rcp_')
  expect((await owner.send(page, page, { user_id: '../x', password: PASSWORD })).status).toBe(404)
})

test('other sessions are listed, and end one by one or all at once', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const others = await Promise.all([newSession(person), newSession(person), newSession(person)])
  const alive = async (): Promise<number[]> => {
    const answers = others.map((headers) => call('GET', '/api/users/me', { headers }))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  const page = '/portal/settings'
  const ends = (await browser.open(page)).text.matchAll(/action="(\/portal\/settings\/sessions\/ses_\w+\/end)"/g)
  const paths = Array.from(ends, ([, path = '']) => path)
  expect(paths).toHaveLength(3)
  await browser.send(page, paths[0] ?? '')
  expect((await alive()).filter((status) => status === 200)).toHaveLength(2)
  await browser.send(page, `${page}/sessions/end-others`)
  expect(await alive()).toEqual([401, 401, 401])
  expect((await browser.open(page)).text).toContain('All other sessions have ended.')
})

test('settings: the appearance is saved, the password changed, the account is deleted with its cookie', async () => {
  const browser = new Browser()
  const password = 'correct horse battery'
  await browser.send(
    '/portal/sign-up',
    '/portal/sign-up',
    { name: 'Ada', email: `ada-${crypto.randomUUID()}@example.com`, password },
    { 'CF-Connecting-IP': '203.0.113.98' },
  )
  const page = '/portal/settings'
  await browser.send(page, page, { name: 'Ada L.', theme: 'dark', language: 'en-GB', notify_email: 'on' })
  expect((await browser.open(page)).text).toMatch(/data-theme="dark"[\s\S]*Ada L\./)
  const wrong = await browser.send(page, `${page}/password`, { current_password: 'no', new_password: `${password}!` })
  expect({ status: wrong.status, location: locationOf(wrong) }).toEqual({ status: 422, location: '' })
  await browser.send(page, `${page}/password`, { current_password: password, new_password: `${password}!` })
  expect((await browser.open(page)).text).toContain('Your password was changed')
  const gone = await browser.send(page, `${page}/delete`, { password: `${password}!` })
  expect(locationOf(gone)).toBe('/portal/sign-in')
  expect((await browser.open(locationOf(gone))).text).toContain('Your account is deleted.')
  // Once, and no link says it.
  for (const path of ['/portal/sign-in', '/portal/sign-in?deleted'])
    expect((await browser.open(path)).text).not.toContain('Your account is deleted.')
  expect(browser.cookies.has('__Host-recollect_session')).toBe(false)
})

test('a new password asks what happens to the keys of a person who has some, with no answer chosen', async () => {
  const person = await newPerson()
  await givePassword(person)
  const [page, browser] = ['/portal/settings', new Browser(person)]
  const mine = await addKey(person)
  const ended = await addKey(person)
  await call('DELETE', `/v1/api-keys/${ended.id}`, { headers: person.session })
  const statusWith = async (key: string) => (await call('GET', '/v1/memory/items', { key })).status
  expect(await statusWith(mine.secret)).toBe(200)
  await until(async () => expect((await browser.open(page)).text).toMatch(/Keep my API keys \(\d is in use\)/))
  expect((await browser.open(page)).text).not.toMatch(/name="keys" value="\w+" checked/)

  const change = (current: string, next: string, keys: object) =>
    browser.send(page, `${page}/password`, { current_password: current, new_password: next, ...keys })
  const unasked = await change(PASSWORD, `${PASSWORD} two`, {})
  expect(unasked.status).toBe(422)
  expect(unasked.text).toMatch(/field-error" id="field-keys-error">Choose what happens to your API keys\./)
  expect((await change(PASSWORD, `${PASSWORD} two`, { keys: 'keep' })).status).toBe(303)
  expect(await statusWith(mine.secret)).toBe(200)
  expect((await change(`${PASSWORD} two`, `${PASSWORD} three`, { keys: 'end' })).status).toBe(303)
  expect(await statusWith(mine.secret)).toBe(401)
  expect((await browser.open(page)).text).not.toContain('name="keys"')
})

test('a new password asks about the keys where the newest hundred are all of others or expired', async () => {
  const person = await newPerson()
  await givePassword(person)
  const [page, browser] = ['/portal/settings', new Browser(person)]
  const mine = await addKey(person)
  travel(MINUTE)
  await Promise.all(Array.from({ length: 100 }, () => addKey(person, { expiresAt: system.now() - MINUTE })))
  expect((await browser.open(page)).text).toMatch(/name="keys" value="keep"[^]*Keep my API keys</)
  const fields = { current_password: PASSWORD, new_password: `${PASSWORD} two` }
  const unasked = await browser.send(page, `${page}/password`, fields)
  expect([unasked.status, unasked.text]).toEqual([
    422,
    expect.stringContaining('Choose what happens to your API keys.'),
  ])
  expect((await call('GET', '/v1/memory/items', { key: mine.secret })).status).toBe(200)
})

test('an error stands at its field in the words of the form, and the first one has the focus', async () => {
  const browser = new Browser(await newPerson())
  const page = '/portal/settings'
  const refused = await browser.send(page, page, { name: 'Ada', theme: 'dark', language: 'not a tag!' })
  expect(refused.status).toBe(422)
  expect(refused.text).toMatch(/<input[^>]*name="language"[^>]* autofocus[^>]*aria-invalid="true"/)
  expect(refused.text).toMatch(/id="field-language-error">Language must /)
  expect(refused.text).not.toMatch(/settings\.language|notice-danger/)
  const fields = { current_password: PASSWORD, new_password: 'short', keys: 'keep' }
  const short = (await browser.send(page, `${page}/password`, fields)).text
  expect(short).toMatch(/id="field-new_password-error">New password must /)
  expect(short).not.toContain('notice-danger')
  // What is about no field stands above the form, and has the focus.
  const owner = await newPerson()
  await givePassword(owner)
  await addMember(owner, 'viewer')
  const kept = await new Browser(owner).send(page, `${page}/delete`, { password: PASSWORD })
  expect(kept.status).toBe(409)
  expect(kept.text).toMatch(/<div class="form-refusal" tabindex="-1" autofocus[^>]*><div class="notice notice-danger/)
  expect(kept.text).not.toContain('field-error')
})
