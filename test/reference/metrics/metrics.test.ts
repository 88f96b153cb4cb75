/**
 * @module-tag long
 * @module-tag shards
 */
import { env } from 'cloudflare:workers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { storeMessages } from '../../../src/audit/store.ts'
import { FIRST_SHARD } from '../../../src/core/shards.ts'
import { observedDatabase } from '../../support/observed-database.ts'
import { travel } from '../../support/clock.ts'
import { BEARER, figuresMessage, METRICS_TOKEN, newIsolate, newRoute, scrape } from '../../support/metrics.ts'
import { until } from '../../support/until.ts'
import { newTenant, system } from '../../support/world.ts'

let address = 0
/** Each from a network of its own. */
const elsewhere = () => ({ 'CF-Connecting-IP': `2001:db8:f18:${(address += 1).toString(16)}::1` })

describe('who may read', () => {
  test('contract §7: /metrics is the 404 of any unknown path where the deployment has no METRICS_TOKEN', async () => {
    const { send } = newIsolate({ METRICS_TOKEN: '' })
    const bodyOf = async (path: string, init: RequestInit) => {
      const answer = await send(path, init)
      const { request_id: _, ...body } = await answer.json<Record<string, unknown>>()
      return { status: answer.status, body }
    }
    const unknown = await bodyOf('/no-such-path', {})
    expect(unknown.status).toBe(404)
    for (const init of [{}, { headers: BEARER }, { method: 'POST' }])
      expect(await bodyOf('/metrics', init)).toEqual(unknown)
  })

  test('contract §7: it is OpenMetrics text for the token, in any letters of the scheme', async () => {
    const { send } = newIsolate()
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await send('/metrics', { headers: { Authorization: `${scheme} ${METRICS_TOKEN}` } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.text()).toMatch(/\n# EOF\n$/)
    }
  })

  test.each([
    ['none', undefined],
    ['another one', 'Bearer another-token-of-the-same-lengths'],
    ['the beginning of it', `Bearer ${METRICS_TOKEN.slice(0, -1)}`],
    ['more than it', `Bearer ${METRICS_TOKEN}x`],
    ['it twice', `Bearer ${METRICS_TOKEN} ${METRICS_TOKEN}`],
    ['it by another scheme', `Basic ${METRICS_TOKEN}`],
    ['it alone', METRICS_TOKEN],
    ['an empty one', 'Bearer '],
    ['a long one', `Bearer ${'x'.repeat(100_000)}`],
  ])('security 80: a wrong METRICS_TOKEN is 401: %s', async (_, authorization) => {
    const headers = { ...elsewhere(), ...(authorization === undefined ? {} : { Authorization: authorization }) }
    const answer = await newIsolate().send('/metrics', { headers })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="metrics"')
    expect(await answer.text()).not.toContain(METRICS_TOKEN)
  })

  test('security 80: neither a parameter nor a credential of a user opens it', async () => {
    const { key } = await newTenant()
    const { send } = newIsolate()
    const wrong = [
      send(`/metrics?token=${METRICS_TOKEN}&access_token=${METRICS_TOKEN}`, { headers: elsewhere() }),
      send('/metrics', { headers: { ...elsewhere(), 'X-API-Key': key } }),
      send('/metrics', { headers: { ...elsewhere(), 'X-API-Key': METRICS_TOKEN } }),
      send('/metrics', { headers: { ...elsewhere(), Authorization: `Bearer ${key}` } }),
    ]
    expect((await Promise.all(wrong)).map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })

  test('security 80: who guesses the METRICS_TOKEN is limited by address, and the right one is not', async () => {
    travel(0)
    const { send } = newIsolate()
    const from = elsewhere()
    const guess = (nth: number) => send('/metrics', { headers: { ...from, Authorization: `Bearer guess-${nth}` } })
    for (let nth = 0; nth < 60; nth++) expect((await guess(nth)).status).toBe(401)
    const refused = await guess(60)
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
    expect((await send('/metrics', { headers: { ...from, ...BEARER } })).status).toBe(200)
    expect((await send('/metrics', { headers: elsewhere() })).status).toBe(401)
  })

  test.each(['short', 'x'.repeat(31), `${'x'.repeat(40)} y`, 'ключ-из-тридцати-двух-символов-ой'])(
    'security 80: a METRICS_TOKEN that could be guessed or not be sent opens nothing, and /ready says so: %s',
    async (weak) => {
      const isolate = newIsolate({ METRICS_TOKEN: weak })
      expect(isolate.system.config.faults).toEqual([
        'METRICS_TOKEN must have at least 32 characters of A-Z, a-z, 0-9 and -._~+/',
      ])
      expect(isolate.system.metricsToken).toBeNull()
      expect((await isolate.send('/metrics', { headers: BEARER })).status).toBe(404)
    },
  )

  test('another method is 405', async () => {
    const answer = await newIsolate().send('/metrics', { method: 'POST', headers: BEARER })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET'])
  })
})

describe('what is printed', () => {
  test('a request counts by the pattern of its route and the class of its status', async () => {
    const wait = vi.spyOn(scheduler, 'wait').mockResolvedValue(undefined)
    onTestFinished(() => wait.mockRestore())
    const { key, projectId } = await newTenant()
    const isolate = newIsolate()
    const line = (status: string) =>
      `recollect_requests_total{method="GET",route="/v1/projects/:id",status_class="${status}"}`
    const before = await scrape()
    const get = (id: string) => isolate.send(`/v1/projects/${id}`, { headers: { 'X-API-Key': key } })
    expect((await get(projectId)).status).toBe(200)
    expect((await get('prj_none')).status).toBe(404)
    await until(async () => {
      const now = await scrape()
      for (const status of ['2xx', '4xx'])
        expect((now.get(line(status)) ?? 0) - (before.get(line(status)) ?? 0)).toBeGreaterThanOrEqual(1)
    })
    for (const series of (await scrape()).keys()) expect(series).not.toContain(projectId)
  })

  test('the buckets of a histogram grow to its count, and its sum is in seconds', async () => {
    const { route: _, figure, duration, requests } = newRoute()
    await storeMessages(system, FIRST_SHARD, [
      figuresMessage([figure('2xx', 5), figure('2xx', 6), figure('5xx', 6_000)]),
    ])
    const now = await scrape()
    expect([requests('2xx'), requests('5xx')].map((line) => now.get(line))).toEqual([2, 1])
    expect(['0.005', '0.01', '1.0', '5.0', '+Inf'].map((le) => now.get(duration('bucket', le)))).toEqual([
      1, 2, 2, 2, 3,
    ])
    expect([now.get(duration('count')), now.get(duration('sum'))]).toEqual([3, 6.011])
  })

  test('two isolates behind one state make one sum, and a message counts once, however often it comes', async () => {
    const { figure, requests } = newRoute()
    const [one, other] = [figuresMessage([figure('2xx', 1), figure('2xx', 1)]), figuresMessage([figure('2xx', 1)])]
    await Promise.allSettled([storeMessages(system, FIRST_SHARD, [one]), storeMessages(system, FIRST_SHARD, [one])])
    await storeMessages(system, FIRST_SHARD, [one, other])
    await storeMessages(system, FIRST_SHARD, [other, one])
    expect((await scrape()).get(requests('2xx'))).toBe(3)
  })

  test('what an older version counted with one more label is part of the sum', async () => {
    const series = 'recollect_audit_objects_total{shard="00"}'
    const before = (await scrape()).get(series) ?? 0
    const figures = [['00', 'mover'], ['00', 'consumer'], ['00']].map((labels) => ({
      family: 'audit_object' as const,
      labels,
    }))
    await storeMessages(system, FIRST_SHARD, [figuresMessage(figures)])
    const now = await scrape()
    expect(now.get(series)).toBe(before + 3)
    expect([...now.keys()].filter((key) => key.startsWith('recollect_audit_objects_total'))).toEqual([series])
  })

  test('totals do not fall when isolates start anew', async () => {
    const { figure, requests } = newRoute()
    await storeMessages(system, FIRST_SHARD, [figuresMessage([figure('2xx', 1)])])
    const [before, after] = [await scrape(newIsolate()), await scrape(newIsolate())]
    expect(after.get(requests('2xx'))).toBe(1)
    const totals = [...before].filter(([series]) => /_(total|count|sum|bucket)(\{|$)/.test(series))
    for (const [series, value] of totals) expect(after.get(series)).toBeGreaterThanOrEqual(value)
  })

  test('the age of the newest figure is a gauge', async () => {
    travel(60_000)
    await storeMessages(system, FIRST_SHARD, [figuresMessage([newRoute().figure('2xx', 1)], system.now() + 120_000)])
    expect((await scrape()).get('recollect_figures_age_seconds')).toBe(0)
    travel(165_000)
    expect((await scrape()).get('recollect_figures_age_seconds')).toBe(45)
  })
})

describe('the rows are read at most once in ten seconds', () => {
  /** An isolate whose reads of rows are counted and answered by `around`. */
  function watched(around = (trip: () => Promise<unknown>) => trip()) {
    let trips = 0
    const AUDIT_DB = observedDatabase(env.AUDIT_DB, (trip) => {
      trips += 1
      return around(trip)
    })
    return { isolate: newIsolate({ AUDIT_DB }), trips: () => trips }
  }

  test('by one round trip, which scrapes at once share', async () => {
    travel(0)
    const { isolate, trips } = watched()
    await Promise.all([scrape(isolate), scrape(isolate), scrape(isolate)])
    travel(9_999)
    await scrape(isolate)
    expect(trips()).toBe(1)
    travel(1)
    await scrape(isolate)
    expect(trips()).toBe(2)
    // A clock that was set back does not make the answer last.
    travel(-60_000)
    await scrape(isolate)
    expect(trips()).toBe(3)
  })

  test('a scrape whose client went away in the middle of its read holds up no other, and those who waited share one read', async () => {
    travel(0)
    let cut = true
    const { isolate, trips } = watched((trip) => (cut ? new Promise(() => {}) : trip()))
    void isolate.send('/metrics', { headers: BEARER })
    await until(() => expect(trips()).toBe(1))
    cut = false
    const waited = await Promise.all([scrape(isolate), scrape(isolate), scrape(isolate)])
    for (const rows of waited) expect(rows.size).toBeGreaterThan(0)
    // One of those who waited reads again, for all.
    expect(trips()).toBe(2)
  })

  test('a database that is down is a 503, and is asked again at the next scrape', async () => {
    let down = true
    const { isolate } = watched((trip) =>
      down ? Promise.reject(new Error('D1_ERROR: Network connection lost.')) : trip(),
    )
    const answer = await isolate.send('/metrics', { headers: BEARER })
    expect(answer.status).toBe(503)
    down = false
    expect((await isolate.send('/metrics', { headers: BEARER })).status).toBe(200)
  })
})
