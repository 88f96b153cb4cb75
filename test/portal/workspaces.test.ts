/** @module-tag long */
import { expect, test } from 'vitest'
import { cookieOf, newPerson } from '../support/oauth.ts'
import { Browser, locationOf } from '../support/portal.ts'
import { addMember, newSession } from '../support/world.ts'

test('a workspace is made, renamed, and deleted after its name is typed', async () => {
  const browser = new Browser(await newPerson())
  const list = '/portal/workspaces'
  const path = locationOf(await browser.send(list, list, { name: 'Research' }))
  expect(path).toMatch(/^\/portal\/workspaces\/wsp_/)
  await browser.send(path, path, { name: 'Research, EMEA' })
  expect((await browser.open(list)).text).toContain('Research, EMEA')
  expect((await browser.send(path, `${path}/delete`, { confirm_name: 'Research' })).status).toBe(422)
  const gone = await browser.send(path, `${path}/delete`, { confirm_name: 'Research, EMEA' })
  expect(locationOf(gone)).toBe(list)
  expect((await browser.open(path)).status).toBe(404)
})

test('a second person joins through a link that is shown once', async () => {
  const owner = new Browser(await newPerson())
  const [, workspace = ''] =
    /href="(\/portal\/workspaces\/wsp_\w+)"/.exec((await owner.open('/portal/workspaces')).text) ?? []
  const email = `grace-${crypto.randomUUID()}@example.com`
  const form = (await owner.open(workspace)).text
  expect(form).toMatch(/A member sees:[^]*its project <bdi>Default<\/bdi>, with all memories that are not private/)
  const without = await owner.send(workspace, `${workspace}/members`, { email, role: 'editor' })
  expect([without.status, without.text]).toEqual([422, expect.stringContaining('Others will see this name.')])
  const unnamed = { workspace_name: 'Personal', email, role: 'editor' }
  const refused = await owner.send(workspace, `${workspace}/members`, unnamed)
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Others will see this name.')])
  await owner.send(workspace, `${workspace}/members`, { ...unnamed, workspace_name: 'Support team' })
  const shown = (await owner.open(workspace)).text
  expect(shown).not.toContain('name="workspace_name"')
  const [, token = ''] = /\/portal\/sign-up\?invitation=(\w+)/.exec(shown) ?? []
  expect(token).toMatch(/^rci_/)
  expect((await owner.open(workspace)).text).not.toContain(token)

  const guest = new Browser()
  const page = `/portal/sign-up?invitation=${token}`
  const invited = (await guest.open(page)).text
  expect(invited).toContain('Accept your invitation')
  expect(invited).toMatch(/invites you to the workspace <strong><bdi>Support team<\/bdi><\/strong> as editor/)
  expect(invited).toMatch(new RegExp(`name="email"[^>]*value="${email}"|value="${email}"[^>]*name="email"`))
  // Who has an account sees the same where they sign in, also after a wrong password.
  const signIn = `/portal/sign-in?return=%2Fportal%2Fworkspaces&invitation=${token}`
  expect(invited).toContain(`href="${signIn.replace('&', '&amp;')}"`)
  const wrong = { return: '/portal/workspaces', invitation: token, email: '', password: 'not the password' }
  for (const { text } of [await guest.open(signIn), await guest.send(signIn, '/portal/sign-in', wrong)]) {
    expect(text).toMatch(/invites you to the workspace <strong><bdi>Support team<\/bdi><\/strong> as editor/)
    expect(text).toContain(`value="${email}"`)
  }
  const joined = await guest.send(
    page,
    '/portal/sign-up',
    { invitation: token, name: 'Grace', email, password: 'correct horse battery' },
    { 'CF-Connecting-IP': '203.0.113.99' },
  )
  expect(locationOf(joined)).toBe('/portal')
  const used = (await new Browser().open(page)).text
  expect(used).toContain('This invitation was used, replaced or withdrawn, or it has expired.')
  expect(used).not.toMatch(/Support team|grace-/)
  expect((await new Browser().open(signIn)).text).toContain('This invitation was used, replaced or withdrawn')
  const members = (await owner.open(workspace)).text
  expect(members).toContain(email)
  const [, grace = ''] = /members\/(usr_\w+)\/reset-link/.exec(members) ?? []
  await owner.send(workspace, `${workspace}/members/${grace}/reset-link`)
  expect((await owner.open(workspace)).text).toMatch(/\/portal\/reset-password\?token=rcp_/)
  await owner.send(workspace, `${workspace}/members/${grace}`, { role: 'viewer' })
  expect((await guest.open(workspace)).text).toContain('Viewer')
  await owner.send(workspace, `${workspace}/members/${grace}/remove`)
  expect((await guest.open(workspace)).status).toBe(404)
})

test('somebody with an account accepts or refuses an invitation in the portal; an open one can be withdrawn', async () => {
  const person = await newPerson()
  const [colleague, owner] = [await addMember(person, null), new Browser(person)]
  const guest = new Browser({ cookie: cookieOf(await newSession(colleague)) })
  const workspace = `/portal/workspaces/${person.workspaceId}`
  const invite = async () => {
    const fields = { email: colleague.email, role: 'viewer', workspace_name: 'Support team' }
    await owner.send(workspace, `${workspace}/members`, fields)
    const [, id = ''] = /invitations\/(inv_\w+)\/withdraw/.exec((await owner.open(workspace)).text) ?? []
    return id
  }
  const list = '/portal/workspaces'
  const first = await invite()
  expect((await guest.open('/portal')).text).toContain('You are invited')
  await guest.send(list, `/portal/invitations/${first}/refuse`)
  expect((await guest.open(list)).text).toContain('The invitation was refused.')

  const second = await invite()
  await owner.send(workspace, `${workspace}/invitations/${second}/withdraw`)
  expect(locationOf(await guest.send(list, `/portal/invitations/${second}/accept`))).toBe(list)
  expect((await guest.open(list)).text).toContain('This invitation has ended.')

  const third = await invite()
  expect((await guest.open(workspace)).status).toBe(404)
  expect(locationOf(await guest.send(list, `/portal/invitations/${third}/accept`))).toBe(workspace)
  expect((await guest.open(workspace)).text).toContain('You are now a member.')
})

test('a workspace that was shared before anybody gave it a name says so', async () => {
  const person = await newPerson()
  await addMember(person, 'viewer')
  const { text } = await new Browser(person).open(`/portal/workspaces/${person.workspaceId}`)
  expect(text).toContain('Everyone here sees this workspace as “Personal”.')
})

test('an invitation that is refused says that the workspace got its name; a form from before changes no name', async () => {
  const person = await newPerson()
  const owner = new Browser(person)
  const workspace = `/portal/workspaces/${person.workspaceId}`
  const send = (fields: Record<string, string>) => owner.send(workspace, `${workspace}/members`, fields)
  const long = await send({ workspace_name: 'n'.repeat(121), email: 'grace@example.com', role: 'viewer' })
  expect([long.status, long.text]).toEqual([
    422,
    expect.stringMatching(/id="field-workspace_name-error">Name of the workspace must /),
  ])
  const refused = await send({ workspace_name: 'Support team', email: 'no address', role: 'viewer' })
  expect(refused.status).toBe(422)
  expect(refused.text).toMatch(/is now called “<bdi>Support team<\/bdi>”\. The invitation was not sent\./)
  expect(refused.text).toMatch(/id="field-email-error"/)
  const stale = { workspace_name: 'Another', email: `grace-${crypto.randomUUID()}@example.com`, role: 'viewer' }
  expect((await send(stale)).status).toBe(303)
  const after = (await owner.open(workspace)).text
  expect(after).toContain('<bdi>Support team</bdi>')
  expect(after).not.toContain('Another')
})

test('a new link of an invitation is shown once and works; the old link is refused', async () => {
  const person = await newPerson()
  const owner = new Browser(person)
  const workspace = `/portal/workspaces/${person.workspaceId}`
  const email = `grace-${crypto.randomUUID()}@example.com`
  const shownToken = async () => {
    const { text } = await owner.open(workspace)
    const [, invitation = ''] = /invitations\/(inv_\w+)\/renew/.exec(text) ?? []
    const [, token = ''] = /\/portal\/sign-up\?invitation=(\w+)/.exec(text) ?? []
    return { text, invitation, token }
  }
  await owner.send(workspace, `${workspace}/members`, { email, role: 'viewer', workspace_name: 'Support team' })
  const first = await shownToken()
  const renew = `${workspace}/invitations/${first.invitation}/renew`
  expect(locationOf(await owner.send(workspace, renew))).toBe(workspace)
  const second = await shownToken()
  expect(second.text).toContain('Send them this link')
  expect(second.token).toMatch(/^rci_/)
  expect(second.token).not.toBe(first.token)
  expect((await shownToken()).token).toBe('')

  const joins = async (invitation: string) => {
    const fields = { invitation, name: 'Grace', email, password: 'correct horse battery' }
    const answer = await new Browser().send(`/portal/sign-up?invitation=${invitation}`, '/portal/sign-up', fields)
    return { status: answer.status, location: locationOf(answer) }
  }
  expect(await joins(first.token)).toEqual({ status: 422, location: '' })
  expect(await joins(second.token)).toEqual({ status: 303, location: '/portal' })
  const again = await owner.send(workspace, renew)
  expect(locationOf(again)).toBe(workspace)
  expect((await owner.open(workspace)).text).toContain('This invitation has ended.')
})
