import { expect, test } from 'vitest'
import { newPerson } from '../support/oauth.ts'
import { Browser, locationOf } from '../support/portal.ts'
import { Seeded } from '../support/secrets/random.ts'
import { githubToken } from '../support/secrets/secrets.ts'
import { call, newSession } from '../support/world.ts'

test('the page of a project changes its guard (contract §4)', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const path = `/portal/projects/${person.projectId}`
  const fields = { direct: 'refuse', unattended: 'redact', cards: 'flag', ibans: 'off' }
  expect((await browser.open(path)).text).toContain('Guard against secrets')
  expect((await browser.send(path, `${path}/guard`, fields)).status).toBe(303)
  const project = await call('GET', `/v1/projects/${person.projectId}`, { headers: await newSession(person) })
  expect(project.body.guard).toEqual({
    secrets: { direct: 'refuse', unattended: 'redact' },
    cards: 'flag',
    ibans: 'off',
  })
  expect((await browser.open(path)).text).toMatch(/<option value="refuse" selected[^>]*>/)
  expect((await browser.send(path, `${path}/guard`, { ...fields, cards: 'loud' })).status).toBe(422)
})

test('a memory that is stored or changed in the portal says what secret it holds', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const token = githubToken(new Seeded(6))
  const page = `/portal/memory?project_id=${person.projectId}`
  const stored = await browser.send(page, '/portal/memory', { project_id: person.projectId, text: token })
  expect((await browser.open(locationOf(stored).split('#')[0] ?? '')).text).toContain(
    'It holds a secret (github_token)',
  )
})
