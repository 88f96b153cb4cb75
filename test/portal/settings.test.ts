/** @module-tag long */
import { expect, test } from 'vitest'
import { cookieOf, newPerson } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { Browser, locationOf } from '../support/portal.ts'
import { addMember, call, newSession } from '../support/world.ts'

test('the owner of the tenant hands it over in the settings, and others are not asked', async () => {
  const person = await newPerson()
  await givePassword(person)
  const member = await addMember(person, 'viewer')
  const [owner, other] = [new Browser(person), new Browser({ cookie: cookieOf(await newSession(member)) })]
  const page = '/portal/settings'
  expect((await other.open(page)).text).not.toContain('Hand over')
  const nobody = await owner.send(page, `${page}/owner`, { owner_id: 'usr_none', password: PASSWORD })
  expect(nobody.status).toBe(404)
  expect(nobody.text).toContain('No one here has this id.')
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
  expect(browser.cookies.has('__Host-recollect_session')).toBe(false)
})
