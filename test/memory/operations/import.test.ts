/** @module-tag long */
import { expect, test } from 'vitest'
import type { Limiter } from '../../../src/core/ports.ts'
import { importItems } from '../../../src/memory/operations/import.ts'
import { travel } from '../../support/clock.ts'
import { newWriter, type Writer, writerFor } from '../../support/memory.ts'
import { ctxOf } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { addMember, call, db, newTenant, system } from '../../support/world.ts'

const send = (user: Writer, lines: unknown[], query = '', headers: Record<string, string> = {}) =>
  call('POST', `/v1/memory/import${query}`, {
    headers: { ...user.headers, 'Content-Type': 'application/x-ndjson', ...headers },
    raw: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  })

test('import reports line by line; a bad line spoils no other', async () => {
  const user = await newWriter()
  const { status, body } = await send(user, [
    { content: 'one', custom_id: 'c' },
    '',
    '{"content": ',
    { content: 'two', unknown: 1 },
    { content: 'again', custom_id: 'c' },
    '[]',
    { op: 'delete', id: 'mem_x' },
    { content: 'three', context: { project_id: 'prj_elsewhere', namespace: 'n' } },
  ])
  expect(status).toBe(200)
  expect(body).toMatchObject({ created: 2, updated: 1, failed: 4 })
  expect(body.results.map((r: any) => [r.line, r.status, r.error?.status, r.error?.detail])).toEqual([
    [1, 'created', undefined, undefined],
    [3, 'error', 400, 'The line is not valid JSON.'],
    [4, 'error', 422, 'Unknown field "unknown".'],
    [5, 'updated', undefined, undefined],
    [6, 'error', 422, 'The input must be an object, not a list.'],
    [7, 'error', 422, 'Unknown field "op".'],
    [8, 'created', undefined, undefined],
  ])
  const rows = await db.all<{ text: string }>(
    'select text from memory_items where project_id = :project order by row',
    { project: user.projectId },
  )
  expect(rows.map(({ text }) => text)).toEqual(['again', 'three'])
})

test('security 34: in a long import, a line that is slow to parse is refused by itself', async () => {
  const user = await newWriter()
  const many = '{},'.repeat(250_000)
  const { status, body } = await send(user, [
    { content: 'one' },
    `{"content":"many","a":[${many}{}]}`,
    `{"content":"deep","a":${'['.repeat(101)}${']'.repeat(101)}}`,
    `{"content":"long","a":"${'[{,'.repeat(200_000)}"}`,
    { content: 'two' },
  ])
  expect(status).toBe(200)
  expect(body).toMatchObject({ created: 2, failed: 3 })
  expect(body.results.map((r: any) => [r.error?.status, r.error?.detail])).toEqual([
    [undefined, undefined],
    [400, 'The line has more than 250000 members.'],
    [400, 'The line is deeper than 100 levels.'],
    [422, 'Unknown field "a".'],
    [undefined, undefined],
  ])
})

test('import is slowed to the pace of batches, not refused: it asks for a permit a slice, and again after a refusal', async () => {
  const user = await newTenant()
  const asked: string[] = []
  const state = { policy: 'memory.batch', limit: 2, windowSeconds: 1, remaining: 0, resetSeconds: 1 }
  const limiter: Limiter = {
    ...system.limiter,
    acquire: async (name, key) => {
      asked.push(`${name}, ${key}`)
      const now = system.now()
      return { admitted: asked.length !== 2, state, acquiredAt: now, retryAt: now }
    },
    release: async () => {},
  }
  const body = Array.from({ length: 101 }, (_, n) => JSON.stringify({ content: `line ${n}` })).join('\n')
  const report = await importItems(ctxOf(user, { limiter }), { body, projectId: undefined })
  expect(report.created).toBe(101)
  // Three slices, the second of which was refused once.
  expect(asked).toEqual(Array.from({ length: 4 }, () => `memory.batch, import ${user.userId}`))
})

test('more than 5,000 lines are 422, another type 415, more than 16 MiB 413', async () => {
  const user = await newWriter()
  const many = await send(
    user,
    Array.from({ length: 5_001 }, () => '{}'),
  )
  expect({ status: many.status, code: many.body.errors?.[0].code }).toEqual({ status: 422, code: 'too_many_lines' })
  const json = await send(user, [{ content: 'x' }], '', { 'Content-Type': 'application/json' })
  expect(json.status).toBe(415)
  const large = await send(user, ['x'.repeat(16 * 1024 * 1024 + 1)])
  expect(large.status).toBe(413)
  expect(await db.all('select id from memory_items where tenant_id = :tenant', { tenant: user.tenantId })).toEqual([])
})

test("a viewer is refused, a stranger's project is not found", async () => {
  const owner = await newWriter()
  const viewer = await writerFor(await addMember(owner, 'viewer'))
  const stranger = await newWriter()
  const line = [{ content: 'x' }]
  expect((await send(viewer, line)).status).toBe(403)
  expect((await send(stranger, line, `?project_id=${owner.projectId}`)).status).toBe(404)
})

test('an Idempotency-Key replays the report and imports nothing twice', async () => {
  const user = await newWriter()
  const run = () => send(user, [{ content: 'once' }], '', { 'Idempotency-Key': 'i1' })
  const [first, again] = [await run(), await run()]
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(again.body).toEqual(first.body)
  expect(await db.all('select id from memory_items where tenant_id = :tenant', { tenant: user.tenantId })).toHaveLength(
    1,
  )
})

test('lines with a custom_id or deduplicate that are sent again after a break are not stored twice', async () => {
  const user = await newWriter()
  const lines = Array.from({ length: 60 }, (_, n) =>
    n % 2 === 0 ? { content: `line ${n}`, custom_id: `n${n}` } : { content: `line ${n}`, deduplicate: true },
  )
  expect((await send(user, lines.slice(0, 40))).body).toMatchObject({ created: 40, updated: 0, failed: 0 })
  expect((await send(user, lines)).body).toMatchObject({ created: 20, updated: 40, failed: 0 })
  expect(await db.all('select id from memory_items where tenant_id = :tenant', { tenant: user.tenantId })).toHaveLength(
    60,
  )
})

test('an import keeps its Idempotency-Key for as long as it runs, past the 60 s of a dead one', async () => {
  const user = await newWriter()
  const lines = Array.from({ length: 301 }, (_, n) => ({ content: `line ${n}` }))
  const run = () => send(user, lines, '', { 'Idempotency-Key': 'long' })
  travel(0)
  const first = run()
  const imported = async () =>
    (await db.all('select id from memory_items where tenant_id = :tenant', { tenant: user.tenantId })).length
  // The clock stands, so the import waits for its next two batches until half a minute goes by.
  for (const count of [100, 200]) {
    await until(async () => expect(await imported()).toBe(count))
    travel(31_000)
  }
  const meanwhile = await run()
  expect({ status: meanwhile.status, code: meanwhile.body.code }).toEqual({
    status: 409,
    code: 'idempotency_in_progress',
  })
  await until(async () => expect(await imported()).toBe(300))
  travel(1_000)
  expect((await first).body).toMatchObject({ created: 301, failed: 0 })
  const again = await run()
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(again.body).toEqual((await first).body)
  expect(await imported()).toBe(301)
})

test('a stalled import stops when another request has taken its key over', async () => {
  const user = await newWriter()
  const lines = Array.from({ length: 101 }, (_, n) => ({ content: `line ${n}` }))
  const run = () => send(user, lines, '', { 'Idempotency-Key': 'stalled' })
  travel(0)
  const first = run()
  const imported = async () =>
    (await db.all('select id from memory_items where tenant_id = :tenant', { tenant: user.tenantId })).length
  await until(async () => expect(await imported()).toBe(100))
  await db.write("update idempotency_keys set write_id = 'req_other' where user_id = :user returning key", {
    user: user.userId,
  })
  travel(31_000)
  const answer = await first
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 409, code: 'idempotency_in_progress' })
  expect(await imported()).toBe(100)
})
