import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { HOUR, travel } from '../support/clock.ts'
import { storeRequests } from '../support/hours.ts'
import { newApp, newCode, newPerson, ORIGIN, redeem, type Person } from '../support/oauth.ts'
import { hours, plotOf } from '../support/plot.ts'
import { Browser } from '../support/portal.ts'
import { newReceiver } from '../support/receiver.ts'
import { subscribe } from '../support/webhooks.ts'
import { call, system } from '../support/world.ts'

/** A person who has a key, a memory and a webhook. */
async function begun(): Promise<Person> {
  const person = await newPerson()
  await subscribe(person, newReceiver())
  const stored = await call('POST', '/api/memory/store', { key: person.key, body: { content: 'Ada prefers tea.' } })
  expect(stored.status).toBe(201)
  return person
}

test('whoever has begun sees the last day first, as it was counted; a newcomer sees what to do', async () => {
  travel(HOUR / 2 - (system.now() % HOUR))
  const person = await begun()
  const now = system.now()
  await storeRequests(
    { user: person, at: now - (now % HOUR) - HOUR, durations: [1, 1, 1], operation: 'memory.search' },
    { user: person, at: now - (now % HOUR) - 3 * HOUR, durations: [1, 1], operation: 'memory.search' },
    { user: person, at: now - (now % HOUR) - HOUR, durations: [1], operation: 'memory.retrieve', outcome: 'failed' },
    { user: person, at: now - (now % HOUR) - 24 * HOUR, durations: [1], operation: 'memory.search' },
    { user: person, at: now - (now % HOUR) - HOUR, durations: [9], operation: 'projects.list', pageRead: true },
  )
  const { text } = await new Browser(person).open('/portal')
  const [, figure = ''] = /<figure class="plot" id="last-day">([\s\S]*?)<\/figure>/.exec(text) ?? []
  expect(figure).toMatch(/<bdi>memory\.search<\/bdi><span class="legend-sum">5<\/span>/)
  const drawn = plotOf(text, 'last-day', 4)
  expect(drawn.table).toMatchObject({
    'memory.search': hours({ 1: '3', 3: '2' }),
    'memory.retrieve': hours({ 1: '1' }),
  })
  expect(drawn.bars[4]?.map(Math.round)).toEqual([3, 1])
  expect(drawn.bars[2]?.map(Math.round)).toEqual([2])
  // What the portal read to show its pages is not among it.
  expect(figure).not.toContain('projects.list')
  expect(text).not.toContain('I build an app')
  expect(text).toMatch(/Newest memories.*Ada prefers tea\..*id="last-day"/s)
  expect(text).toMatch(/<form class="search-row" method="get" action="\/portal\/memory" role="search">/)
  expect(text).toContain('by you through <bdi>test</bdi>')

  const newcomer = (await new Browser(await newPerson()).open('/portal')).text
  for (const path of ['I build an app', 'I use an agent']) expect(newcomer).toContain(path)
  for (const later of ['id="last-day"', 'Newest memories', 'class="search-row"']) expect(newcomer).not.toContain(later)
})

test('a first memory is shown beside the steps that are left', async () => {
  const person = await newPerson()
  await call('POST', '/api/memory/store', { key: person.key, body: { content: 'Ada prefers tea.' } })
  const { text } = await new Browser(person).open('/portal')
  expect(text).toMatch(/I build an app.*Newest memories.*Ada prefers tea\./s)
  expect(text.match(/\(done\)/g)).toHaveLength(3)
  expect(text).not.toContain('id="last-day"')
})

test('a memory in a second project is shown and searched there; one that is in none of the shown projects counts too', async () => {
  const person = await newPerson()
  await subscribe(person, newReceiver())
  const project = async (name: string): Promise<string> =>
    (await call('POST', '/api/projects', { headers: person.session, body: { name, workspace_id: person.workspaceId } }))
      .body.id
  const second = await project('Second')
  const body = { content: 'Grace prefers coffee.', context: { project_id: second } }
  expect((await call('POST', '/api/memory/store', { headers: person.session, body })).status).toBe(201)
  const browser = new Browser(person)
  const { text } = await browser.open('/portal')
  expect(text).toContain(`<input type="hidden" name="project_id" value="${second}"/>`)
  expect(text).toMatch(/Newest memories.*Grace prefers coffee\./s)
  for (const name of ['Third', 'Fourth']) await project(name)
  const later = (await browser.open('/portal')).text
  expect(later).not.toContain('Newest memories')
  expect(later).not.toContain('I build an app')
})

test('an agent alone ends the steps as well: what it remembered is shown', async () => {
  const person = await newPerson()
  const app = await newApp(await newPerson())
  await redeem(app, await newCode(person, app, { resource: `${ORIGIN}/mcp` }))
  await call('POST', '/api/memory/store', { key: person.key, body: { content: 'Releases are on Tuesday.' } })
  const { text } = await new Browser(person).open('/portal')
  expect(text).not.toContain('I use an agent')
  expect(text).toContain('Releases are on Tuesday.')
})

test('a warning stands for what needs one: a key of production without an end, and none for development', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const key = (environment: string) =>
    call('POST', '/v1/api-keys', {
      headers: person.session,
      body: { name: environment, environment, scopes: ['read:memory'] },
    })
  // The key that the person came with is one of production without an end.
  await key('test')
  expect((await browser.open('/portal')).text).toContain('One key needs your attention')
  await key('live')
  expect((await browser.open('/portal')).text).toContain('2 keys need your attention')
})

test('without its counts the overview is still there, with the memories', async () => {
  const person = await begun()
  const failed: string[] = []
  const AUDIT_DB = new Proxy(env.AUDIT_DB, {
    get: (real, name) => {
      if (name === 'prepare')
        return (sql: string) => {
          if (!sql.includes('request_hours') || sql.trimStart().startsWith('insert')) return real.prepare(sql)
          failed.push(sql)
          return real.prepare('select 1 from a_table_that_is_not_there')
        }
      const member: unknown = Reflect.get(real, name)
      return typeof member === 'function' ? member.bind(real) : member
    },
  })
  const headers = { ...person.cookie, 'CF-Connecting-IP': '203.0.113.61' }
  const answer = await createApp().request('/portal', { headers }, { ...env, AUDIT_DB }, createExecutionContext())
  expect(failed.length).toBeGreaterThan(0)
  expect(answer.status).toBe(200)
  const text = await answer.text()
  expect(text).toContain('Newest memories')
  expect(text).not.toContain('id="last-day"')
})
