/** @module-tag long */
import { expect, test } from 'vitest'
import { HOUR, travel } from '../support/clock.ts'
import { storeCounts } from '../support/hours.ts'
import { newPerson } from '../support/oauth.ts'
import { hours, plotOf } from '../support/plot.ts'
import { Browser } from '../support/portal.ts'
import { until } from '../support/until.ts'
import { call, newSession, system } from '../support/world.ts'

test('usage leaves out what the portal read to show its pages, unless asked (contract §3)', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const headers = await newSession(person)
  expect((await browser.open('/portal/projects')).status).toBe(200)
  // What a page asked for and did not get is no read of the portal's own.
  expect((await browser.open('/portal/projects/prj_nowhere')).status).toBe(404)
  expect((await call('GET', '/v1/projects', { headers })).status).toBe(200)

  const usage = async (query = ''): Promise<Record<string, number>> => {
    const { status, body } = await call('GET', `/v1/usage?step=5m${query}`, { headers: await newSession(person) })
    expect(status).toBe(200)
    const sums: Record<string, number> = {}
    for (const { operation, requests } of body.data) sums[operation] = (sums[operation] ?? 0) + requests
    return sums
  }
  // Each look is a read that the user's limit counts, and the pages below are reads of the same user.
  await until(
    async () =>
      expect(await usage('&page_reads=include')).toMatchObject({
        'users.get': 2,
        'projects.list': 2,
        'projects.get': 1,
      }),
    { everyMs: 500 },
  )
  expect(await usage()).toMatchObject({ 'users.get': 2, 'projects.list': 2 })
  const own = await usage('&page_reads=exclude')
  expect(own).toMatchObject({ 'projects.list': 1, 'projects.get': 1 })
  expect(own).not.toHaveProperty('users.get')

  const page = async (query: string): Promise<string> => (await browser.open(`/portal/usage?span=hour${query}`)).text
  const shown = await page('')
  expect(shown).toContain('<code>projects.list</code>')
  expect(shown).not.toContain('<code>users.get</code>')
  expect(shown).toContain('href="/portal/usage?span=hour&amp;portal=include"')
  const all = await page('&portal=include')
  expect(all).toContain('<code>users.get</code>')
  expect(all).toContain('Hide reads by the portal')
  // The choice of a span keeps the switch.
  expect(all).toContain('href="/portal/usage?span=month&amp;portal=include"')
})

test('page_reads of usage is include or exclude: 422 for anything else', async () => {
  const person = await newPerson()
  const { status } = await call('GET', '/v1/usage?page_reads=some', { headers: await newSession(person) })
  expect(status).toBe(422)
})

test('the plot of usage draws what was answered, refused and limited; a failure is drawn as refused', async () => {
  const now = system.now()
  const hour = now - (now % HOUR)
  travel(hour + HOUR / 2 - now)
  const person = await newPerson()
  await storeCounts(person, hour, 'memory.search', { ok: 4, refused: 1, limited: 2, failed: 3 })
  await storeCounts(person, hour - 2 * HOUR, 'memory.store', { ok: 5 })
  await storeCounts(person, hour - 2 * HOUR, 'memory.retrieve', { limited: 1 })
  await storeCounts(person, hour - 24 * HOUR, 'memory.store', { ok: 9 })
  const { status, text } = await new Browser(person).open('/portal/usage')
  expect(status).toBe(200)
  const drawn = plotOf(text, 'requests', 10)
  expect(drawn.table).toEqual({
    Answered: hours({ 0: '4', 2: '5' }),
    Refused: hours({ 0: '4' }),
    'Over a limit': hours({ 0: '2', 2: '1' }),
  })
  expect(drawn.bars[5]?.map(Math.round)).toEqual([4, 4, 2])
  expect(drawn.bars[3]?.map(Math.round)).toEqual([5, 1])
  expect(drawn.bars.flat()).toHaveLength(5)
  expect(text).toContain('Requests, 24 hours: 16 in total')
  // The table of operations keeps refusals and failures apart.
  const [, row = ''] = /<code>memory\.search<\/code>([\s\S]*?)<\/tr>/.exec(text) ?? []
  expect([...row.matchAll(/class="num" data-label="([^"]+)">(\d+)</g)].map(([, name, value]) => [name, value])).toEqual(
    [
      ['Requests', '10'],
      ['Refused', '1'],
      ['Over a limit', '2'],
      ['Failed', '3'],
    ],
  )
})
