/** @module-tag shards */
import { beforeEach, expect, test } from 'vitest'
import { storeBacklog } from '../../src/audit/index.ts'
import { DAY, HOUR, travel } from '../support/clock.ts'
import { storeRequests } from '../support/hours.ts'
import { cookieOf, newApp, newPerson, newTokens, type Person } from '../support/oauth.ts'
import { hours, plotOf } from '../support/plot.ts'
import { Browser } from '../support/portal.ts'
import { newReceiver } from '../support/receiver.ts'
import { storeDeliveries, subscribe } from '../support/webhooks.ts'
import { addKey, addMember, call, home, newSession, newTenant, system, type Tenant } from '../support/world.ts'

let person: Person
let user: Tenant
let hour = 0

beforeEach(async () => {
  const now = system.now()
  hour = now - (now % HOUR)
  later()
  person = await newPerson()
  user = person
})

let seconds = 0
/** Pins the clock in the middle of the hour, each time in a window of its own for the limit on reads. */
function later(): void {
  seconds += 2
  travel(hour + HOUR / 2 + seconds * 1_000 - system.now())
}

const open = async (query = ''): Promise<string> => {
  later()
  const { status, text } = await new Browser(person).open(`/portal/usage${query}`)
  expect(status).toBe(200)
  return text
}

test.each(['constructor', 'toString', '__proto__', 'week', ''])('a span named %j is that of a day', async (span) => {
  expect(await open(`?span=${span}`)).toContain('Requests, 24 hours')
})

test('requests by operation, key and project are drawn as they were counted', async () => {
  await storeRequests(
    { user, at: hour, durations: [1, 1, 1], operation: 'memory.search' },
    { user, at: hour, durations: [1], operation: 'memory.store' },
    { user, at: hour - 2 * HOUR, durations: [1, 1], operation: 'memory.store', projectId: null },
    { user, at: hour - 24 * HOUR, durations: [1], operation: 'memory.store' },
    { user, at: hour, durations: [9, 9], operation: 'audit.list', pageRead: true },
  )
  const page = await open()
  const operations = plotOf(page, 'by-operation', 4)
  expect(operations.table).toEqual({
    'memory.search': hours({ 0: '3' }),
    'memory.store': hours({ 0: '1', 2: '2' }),
  })
  expect(operations.bars).toHaveLength(6)
  expect(operations.bars[5]?.map(Math.round)).toEqual([3, 1])
  expect(operations.bars[3]?.map(Math.round)).toEqual([2])
  expect(operations.bars.flat()).toHaveLength(3)
  expect(plotOf(page, 'by-key', 4).table).toEqual({ test: hours({ 0: '4', 2: '2' }) })
  expect(page).toMatch(/<figure class="plot" id="by-key">(?:(?!<\/figure>)[\s\S])*<ul class="legend">/)
  const projects = plotOf(page, 'by-project', 4).table
  expect(Object.values(projects)).toEqual([hours({ 0: '4' }), hours({ 2: '2' })])
  expect(Object.keys(projects)[1]).toBe('Without a project')
  expect(plotOf(page, 'searches', 4).table).toEqual({
    Searches: hours({ 0: '3' }),
    Stores: hours({ 0: '1', 2: '2' }),
  })
  // What the portal read is drawn where it is asked for.
  expect(plotOf(await open('?portal=include'), 'by-operation', 4).table).toMatchObject({
    'audit.list': hours({ 0: '2' }),
  })
})

test('more names than colours are drawn with the rest as one', async () => {
  const named = (nth: number) => ({
    user,
    at: hour,
    operation: `o${nth}`,
    durations: Array.from({ length: nth }, () => 1),
  })
  await storeRequests(...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(named))
  const { table, bars } = plotOf(await open(), 'by-operation', 50)
  expect(table).toEqual({
    ...Object.fromEntries([9, 8, 7, 6, 5, 4].map((nth) => [`o${nth}`, hours({ 0: String(nth) })])),
    'All others': hours({ 0: '6' }),
  })
  expect(bars[5]?.map(Math.round)).toEqual([9, 8, 7, 6, 5, 4, 6])
})

test('latency is read off the buckets, and a step without requests has none', async () => {
  // 19 of 20 lie in the bucket up to 10 ms, the last in that up to 1 s.
  const quick = Array.from({ length: 19 }, () => 8)
  await storeRequests({ user, at: hour - HOUR, durations: [...quick, 700] }, { user, at: hour, durations: [9_000] })
  const { table, dots } = plotOf(await open(), 'latency', 5_000)
  const half = 5 + (5 * 10) / 19
  expect(table).toEqual({
    'Half take at most': hours({ 1: `${Math.round(half)} ms`, 0: '5 s' }, '–'),
    '95 of 100 take at most': hours({ 1: '10 ms', 0: '5 s' }, '–'),
  })
  expect(dots.map((line) => line.map(Math.round))).toEqual([
    [Math.round(half), 5_000],
    [10, 5_000],
  ])
})

test('the embedding backlog is drawn for the owner, with gaps where nobody looked', async () => {
  const seen = (at: number, waiting: number) =>
    storeBacklog({ ...system, now: () => at }, home, [{ tenant_id: person.tenantId, waiting }])
  await seen(hour - 5 * HOUR, 40)
  await seen(hour - 3 * HOUR, 10)
  expect(await open()).not.toContain('or more')
  const { table, dots } = plotOf(await open(), 'backlog', 40)
  const values = table['Waiting to be embedded']
  expect([values?.[0], values?.[2]]).toEqual(['40', '10'])
  expect(dots[0]?.map(Math.round)).toEqual(expect.arrayContaining([40, 10]))
  const viewer = await addMember(person, 'viewer')
  const browser = new Browser({ cookie: cookieOf(await newSession(viewer)) })
  const { status, text } = await browser.open('/portal/usage')
  expect(status).toBe(200)
  expect(text).not.toContain('id="backlog"')
})

test('where the count of the backlog was cut, the table says 100000 or more', async () => {
  // A cut count is one of all tenants, so these hours are no other test's.
  hour -= 3 * DAY
  later()
  person = await newPerson()
  const seen = (at: number, waiting: number) =>
    storeBacklog({ ...system, now: () => at }, home, [{ tenant_id: person.tenantId, waiting }])
  await seen(hour - 5 * HOUR, 100_000)
  await seen(hour - 3 * HOUR, 10)
  const page = await open()
  expect(page).toContain('counts stop at 100,000 across all tenants')
  const values = plotOf(page, 'backlog', 100_000).table['Waiting to be embedded']
  expect([values?.[0], values?.[2]]).toEqual(['100000 or more', '10'])
})

test('two webhooks with one address are told apart by the ends of their ids', async () => {
  const receiver = newReceiver()
  const [one, two] = [await subscribe(user, receiver), await subscribe(user, receiver)]
  await storeDeliveries(user, one, hour, 'delivered', 60)
  await storeDeliveries(user, two, hour, 'failed', 1)
  const rows = [...(await open()).matchAll(/data-label="Webhook"><a [^>]*><bdi>([^<]*)</g)].map(([, name]) => name)
  expect(new Set(rows)).toEqual(new Set([one, two].map((id) => `${receiver.url} (…${id.slice(-4)})`)))
  expect(await open(`?webhook=${one}`)).toContain(`${receiver.url} (…${one.slice(-4)})`)
})

test('deliveries are drawn by outcome and latency, of all webhooks and of one', async () => {
  const [one, two] = [await subscribe(user, newReceiver()), await subscribe(user, newReceiver())]
  await storeDeliveries(user, one, hour, 'delivered', 60, 60, 60)
  await storeDeliveries(user, one, hour, 'failed', 1)
  await storeDeliveries(user, two, hour - HOUR, 'expired', 1)
  await storeDeliveries(user, two, hour - HOUR, 'waiting', 1, 1)
  await storeDeliveries(user, two, hour - 3 * DAY, 'delivered', 1)
  const page = await open()
  const outcomes = plotOf(page, 'delivery-outcomes', 4)
  expect(outcomes.table).toEqual({
    Delivered: hours({ 0: '3' }),
    Open: hours({ 1: '2' }),
    Failed: hours({ 0: '1' }),
    Expired: hours({ 1: '1' }),
  })
  expect(outcomes.bars[5]?.map(Math.round)).toEqual([3, 1])
  expect(outcomes.bars[4]?.map(Math.round)).toEqual([2, 1])
  // The bucket up to 100 ms begins at 0: a straight line within it, for half and for 95 of 100.
  const latencies = plotOf(page, 'delivery-latency', 100)
  expect(latencies.table).toEqual({
    'Half take at most': hours({ 0: '50 ms' }, '–'),
    '95 of 100 take at most': hours({ 0: '95 ms' }, '–'),
  })
  expect(latencies.dots.map((line) => line.map(Math.round))).toEqual([[50], [95]])
  expect(page).toContain(`webhook=${one}#deliveries`)
  const single = plotOf(await open(`?webhook=${two}`), 'delivery-outcomes', 4)
  expect(single.table).toEqual({
    Delivered: hours({}),
    Open: hours({ 1: '2' }),
    Failed: hours({}),
    Expired: hours({ 1: '1' }),
  })
  const month = plotOf(await open(`?span=month&webhook=${two}`), 'delivery-outcomes', 4)
  expect(month.table['Delivered']?.filter((value) => value === '1')).toHaveLength(1)
  expect(month.table['Delivered']).toHaveLength(6)
})

test("security 26: another tenant's webhook is 404, and its figures are not drawn", async () => {
  const theirs = await newTenant()
  const id = await subscribe(theirs, newReceiver())
  await storeRequests({ user: theirs, at: hour, durations: [1] })
  const { status } = await new Browser(person).open(`/portal/usage?webhook=${id}`)
  expect(status).toBe(404)
  expect(await open()).toContain('No requests yet')
})

test('each plot has a name, a description and a table', async () => {
  await storeRequests({ user, at: hour, durations: [1] })
  const page = await open('?span=month')
  for (const id of ['by-operation', 'by-key', 'by-project', 'searches', 'latency']) {
    expect(page).toContain(`aria-labelledby="${id}-title ${id}-desc"`)
    expect(page).toMatch(new RegExp(`<title id="${id}-title">[^<]+, 30 days</title><desc id="${id}-desc">6 steps\\.`))
  }
  // On a phone a label further left would touch the name of the zone.
  const labels = [...page.matchAll(/<text class="chart-text" x="([\d.]+)%"/g)].map(([, x]) => Number(x))
  expect(labels).not.toEqual([])
  expect(Math.min(...labels)).toBeGreaterThan(8)
})

test('the axis begins with the first datum, and keeps six steps at least', async () => {
  await storeRequests({ user, at: hour - 9 * HOUR, durations: [1] }, { user, at: hour, durations: [1, 1] })
  const { table } = plotOf(await open(), 'by-operation', 2)
  expect(table['memory.store']).toEqual(hours({ 9: '1', 0: '2' }, '0', 10))
})

test('the middle and the slowest requests are told in a sentence; two keys of one name are told apart', async () => {
  const quick = Array.from({ length: 19 }, () => 8)
  await storeRequests({ user, at: hour - HOUR, durations: [...quick, 700] })
  const twin = await addKey(user, { scopes: ['read:memory'] })
  await storeRequests({ user, at: hour, durations: [8], credential: { id: twin.id } })
  const page = await open()
  expect(page).toMatch(/Half of the requests took at most 8 ms, and 95 of 100 at most 10 ms\./)
  expect(Object.keys(plotOf(page, 'by-key', 20).table).toSorted()).toEqual(
    [user.keyId, twin.id].map((id) => `test (…${id.slice(-4)})`).toSorted(),
  )
})

test('an app has its name, and a key of somebody else none, however many newer keys there are', async () => {
  const app = await newApp(person)
  await newTokens(person, app)
  await storeRequests(
    { user, at: hour, durations: [8], credential: { id: app.client_id, appId: app.client_id } },
    { user, at: hour, durations: [8, 8], credential: { id: 'key_01K8E3Z4T7Q9V6N2M5B8C1D0FG' } },
  )
  // No plot has projects beside keys and apps, so these may have the same name.
  const renamed = await call('PATCH', `/v1/projects/${user.projectId}`, {
    headers: person.session,
    body: { name: 'Notes' },
  })
  expect(renamed.status).toBe(200)
  const page = await open()
  const namesIn = (plot: string) => Object.keys(plotOf(page, plot, 20).table)
  expect(namesIn('by-key')).toEqual(['a deleted key, or one of somebody else', 'Notes'])
  expect(namesIn('by-project')).toEqual(['Notes'])
})

test('times of day are marked for the script, which shows them where the reader is; days stay those of UTC', async () => {
  await storeRequests({ user, at: hour, durations: [1] })
  const at = new Date(hour).toISOString()
  const day = await open()
  expect(day).toMatch(/<text class="chart-text"[^>]* data-clock="[^"]+">/)
  expect(day).toContain(`<time class="nowrap" datetime="${at}" title="${at}" data-absolute="">`)
  // The zone is that of the last step: a change to summer time lies behind the reader.
  expect(day).toContain(`<span data-zone="${new Date(hour).toISOString()}">UTC</span>`)
  const month = await open('?span=month')
  expect(month).not.toContain('data-clock')
  expect(month).toContain('Day (UTC)')
})

test('the last hour has its requests alone, and the page of the plots leads here', async () => {
  await storeRequests({ user, at: hour, durations: [1] })
  const page = await open('?span=hour')
  expect(page).toContain('id="requests"')
  expect(page).not.toContain('id="by-key"')
  expect(page).toContain('are counted by the hour')
  later()
  const moved = await new Browser(person).open('/portal/insights?span=month&webhook=sub_x')
  expect([moved.status, moved.headers.get('location')]).toEqual([303, '/portal/usage?span=month&webhook=sub_x'])
})
