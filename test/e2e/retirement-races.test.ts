import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { startServer, type Server } from './support/server.ts'
import { signedUp } from './support/signed-up.ts'

/** Longer than the purge waits for an embedder. */
const LATER_MS = 600_000

/** Items of one race. */
const ITEMS = 24

let server: Server
let headers: Record<string, string>
beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '1000' }, staticAssets: false })
  headers = (await signedUp(server.url)).headers
}, 60_000)
afterAll(() => server.stop())

interface Answer {
  status: number
  body: any
}

const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const answer = await fetch(server.url + path, init)
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}
const store = (body: object) => send('POST', '/api/memory/store', body)
const item = (id: string) => send('GET', `/v1/memory/items/${id}`)

async function newItems(name: string, more: object = {}): Promise<string[]> {
  const operations = Array.from({ length: ITEMS }, (_, n) => ({ op: 'store', content: `${name} ${n}`, ...more }))
  const { body } = await send('POST', '/api/memory/batch', { operations })
  return body.results.map(({ id }: { id: string }) => id)
}

/** Runs the requests at once and kills the runtime when a third has been answered. Null: the answer was lost. */
async function raceWithKill(requests: readonly (() => Promise<Answer>)[]): Promise<(Answer | null)[]> {
  let answered = 0
  const third = Promise.withResolvers<void>()
  const racing = requests.map(async (request) => {
    const answer = await request().catch(() => null)
    answered += 1
    if (answered >= requests.length / 3) third.resolve()
    return answer
  })
  await third.promise
  await server.kill()
  const answers = await Promise.all(racing)
  await server.sweep()
  return answers
}

const rows = async (text: string): Promise<any[]> => {
  const database = await server.miniflare.getD1Database(server.home.DB)
  return (await database.prepare(text).all()).results
}

const listed = async (query: string): Promise<any[]> =>
  (await send('GET', `/v1/memory/items?limit=100&${query}`)).body.data

test('two stores supersede one item and the runtime dies: each item has one successor at most, and no store half happened', async () => {
  const ids = await newItems('contested', { context: { namespace: 'two' } })
  const successors = ids.flatMap((id) =>
    ['left', 'right'].map(
      (side) => () => store({ content: `${side} of ${id}`, context: { namespace: 'two' }, supersedes: [id] }),
    ),
  )
  const answers = await raceWithKill(successors)
  const current = await listed('namespace=two')
  for (const [at, id] of ids.entries()) {
    const { body } = await item(id)
    const stored = current.filter(({ content }) => content.text.endsWith(id))
    expect(stored.map((one) => one.id)).toEqual(body.status === 'retired' ? [body.superseded_by] : [])
    // What was answered 201 is there.
    const answered = answers.slice(2 * at, 2 * at + 2).filter((answer) => answer?.status === 201)
    expect(answered.filter((answer) => answer?.body.id !== body.superseded_by)).toEqual([])
  }
  expect(answers.some((answer) => answer?.status === 201)).toBe(true)
}, 120_000)

test('supersede against delete and the runtime dies: a successor is there only if its item was retired first', async () => {
  const ids = await newItems('doomed', { context: { namespace: 'delete' } })
  const answers = await raceWithKill(
    ids.flatMap((id) => [
      () => store({ content: `instead of ${id}`, context: { namespace: 'delete' }, supersedes: [id] }),
      () => send('DELETE', `/v1/memory/items/${id}`),
    ]),
  )
  const current = await listed('namespace=delete')
  const retired = new Set(
    (await rows("select distinct data ->> 'memory_id' as id from events where data ->> 'change' = 'retired'")).map(
      ({ id }) => id,
    ),
  )
  for (const [at, id] of ids.entries()) {
    const { status, body } = await item(id)
    const [successor] = current.filter(({ content }) => content.text === `instead of ${id}`)
    // A successor commits with the retirement, which a deletion may follow.
    expect(successor !== undefined).toBe(retired.has(id))
    const shown = status === 200 ? (body.superseded_by ?? undefined) : successor?.id
    expect(shown).toBe(successor?.id)
    const wasDeleted = answers[2 * at + 1]?.status === 204
    expect(wasDeleted ? status : 404).toBe(404)
  }
}, 120_000)

test('restore against expiry and the purge of vectors, and the runtime dies: what is restored is found by meaning, what has expired is gone', async () => {
  const context = { namespace: 'restore' }
  const lasting = await newItems('a green teapot', { context })
  const brief = await newItems('a blue teapot', { context, ttl: 3_600 })
  const embedded = async (count: number) => {
    await server.sweep()
    expect(
      await rows(
        "select 1 from memory_items where namespace = 'restore' and embedding_status = 'completed' and deleted_at is null",
      ),
    ).toHaveLength(count)
  }
  await until(() => embedded(2 * ITEMS), { everyMs: 500, withinMs: 60_000 })
  const operations = [...lasting, ...brief].map((id) => ({ op: 'retire', id }))
  await send('POST', '/api/memory/batch', { operations })
  // As if they were retired long ago, and half of the brief ones expired just now.
  await rows(`update memory_items set deleted_at = deleted_at - ${LATER_MS} where namespace = 'restore' returning id`)
  const expired = brief.slice(0, ITEMS / 2)
  await rows(
    `update memory_items set expires_at = 1 where id in (${expired.map((id) => `'${id}'`).join()}) returning id`,
  )
  const answers = await raceWithKill([
    ...[...lasting, ...brief].map((id) => () => send('POST', `/v1/memory/items/${id}/restore`)),
    ...Array.from({ length: 4 }, () => () => server.sweep().then(() => ({ status: 200, body: null }))),
  ])
  for (const [at, id] of [...lasting, ...brief].entries()) {
    const { status, body } = await item(id)
    expect(status === 404).toBe(expired.includes(id))
    expect(answers[at]?.status === 200 ? body.status : 'current').toBe('current')
  }
  const current = (await listed('namespace=restore')).map(({ id }) => id)
  expect(current.length).toBeGreaterThan(0)
  // As if the lease of what the runtime was embedding had ended: a sweep sends it again.
  await rows(
    `update memory_items set next_attempt_at = next_attempt_at - ${LATER_MS}, lease_until = lease_until - ${LATER_MS}
     where namespace = 'restore' and deleted_at is null returning id`,
  )
  await until(() => embedded(current.length), { everyMs: 500, withinMs: 60_000 })
  await server.sweep()
  const { body } = await send('POST', '/api/memory/search', {
    query: 'teapot',
    mode: 'semantic',
    similarity_threshold: 0,
    limit: 100,
    context,
  })
  expect(new Set(body.results.map(({ id }: { id: string }) => id))).toEqual(new Set(current))
}, 180_000)

test('erase against stores, PATCHes and imports, and the runtime dies: nothing is left of the subject', async () => {
  const context = { namespace: 'erase', subject: 'Ada' }
  const ids = await newItems('about Ada', { context })
  const lines = (at: number) =>
    Array.from({ length: 20 }, (_, n) => JSON.stringify({ content: `line ${at} ${n}`, context })).join('\n')
  const importLines = async (at: number): Promise<Answer> => {
    const ndjson = { ...headers, 'Content-Type': 'application/x-ndjson' }
    const answer = await fetch(`${server.url}/v1/memory/import`, { method: 'POST', headers: ndjson, body: lines(at) })
    return { status: answer.status, body: await answer.json() }
  }
  await raceWithKill([
    () => send('POST', '/v1/erasures', { subject: 'Ada' }),
    ...ids.map((id, n) => () => send('PATCH', `/v1/memory/items/${id}`, { tags: [`t${n}`] })),
    ...ids.slice(0, 6).map((id) => () => send('POST', `/v1/memory/items/${id}/retire`)),
    ...ids.map((_, n) => () => store({ content: `late ${n}`, context })),
    ...[1, 2, 3].map((at) => () => importLines(at)),
  ])
  const { body: receipt } = await send('POST', '/v1/erasures', { subject: 'Ada' })
  await until(
    async () => {
      await server.sweep()
      // As if the purge had waited for the last embedder.
      await rows(`update memory_items set vectors_purged_at = vectors_purged_at - ${LATER_MS}
        where deleted_at is not null and retired_at is null and vectors_purged_at is not null returning id`)
      expect((await send('GET', `/v1/erasures/${receipt.id}`)).body.status).not.toBe('running')
    },
    { everyMs: 500, withinMs: 90_000 },
  )
  expect(await rows("select id, text from memory_items where subject = 'Ada' or namespace = 'erase'")).toEqual([])
  expect((await store({ content: 'a later one', context })).status).toBe(201)
}, 180_000)

test('an ingest and the runtime dies: each message is there once and in order, however often it comes again', async () => {
  const context = { namespace: 'ingest' }
  // Several commits.
  const texts = Array.from({ length: 24 }, (_, n) => `${n} ${'word '.repeat(2_500)}`)
  const ingest = (mode: string) =>
    send('POST', '/v1/memory/ingest', {
      conversation_id: mode,
      mode,
      context,
      messages: texts.map((content, n) => ({ role: 'user', content, ...(mode === 'append' ? { id: `m${n}` } : {}) })),
    })
  const twice = ['append', 'history', 'append', 'history']
  const answers = await raceWithKill([
    ...twice.map((mode) => () => ingest(mode)),
    ...Array.from({ length: 8 }, (_, n) => () => store({ content: `beside it ${n}`, context })),
  ])
  expect(answers.slice(0, twice.length)).toContain(null)
  for (const mode of twice) expect((await ingest(mode)).status).toBe(200)
  for (const mode of ['append', 'history']) {
    const { body } = await send('GET', `/v1/memory/conversations/${mode}?limit=100&namespace=ingest`)
    expect(body.data.map(({ content }: any) => content.text)).toEqual(texts)
  }
}, 120_000)
