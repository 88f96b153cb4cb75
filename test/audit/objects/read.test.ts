/**
 * @module-tag long
 * @module-tag shards
 */
import { env } from 'cloudflare:workers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { encodeCursor } from '../../../src/core/http/cursor.ts'
import { sealCursor } from '../../../src/core/http/sealed-cursor.ts'
import { toHex } from '../../../src/core/values/encoding.ts'
import { archiving, arrangeRows, bucket, moveChosen, storesOf, walk } from '../../support/audit-objects.ts'
import { DAY, HOUR, travel } from '../../support/clock.ts'
import { callWith } from '../../support/shards.ts'
import { home, newSession, newTenant, system, type Tenant } from '../../support/world.ts'

const audit = system.auditDatabase(home)
const BOUND = { AUDIT_BUCKET: env.TEST_BUCKET }

/** A tenant with rows of three hours in an object each, and one row that is in the database; newest first. */
async function arrange() {
  travel(0)
  const tenant = await newTenant()
  const from = system.now() - DAY
  const ids = await arrangeRows(tenant, [from, from + HOUR, from + 2 * HOUR, from + 3 * HOUR])
  const { system: by } = archiving()
  for (let hour = 0; hour < 3; hour++) await moveChosen(by, tenant, (_, nth) => nth === 0)
  const { objects } = await storesOf(tenant)
  return {
    tenant,
    ids: ids.toReversed(),
    keys: objects.map(({ key }) => key),
    until: new Date(from + DAY / 2).toISOString(),
  }
}

const list = async (tenant: Tenant, query: string, bindings: object = BOUND) => {
  const answer = await callWith(bindings, `/v1/audit?${query}`, { headers: await newSession(tenant) })
  return { ...answer, ids: answer.body.data?.map((row: { id: string }) => row.id) as string[] | undefined }
}

const replace = async (key: string, bytes: Uint8Array<ArrayBuffer>) =>
  bucket.put(key, bytes, toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))))

/** What the service logs, until the test ends. */
function logged() {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => error.mockRestore())
  return () => error.mock.calls.map(([line]) => JSON.parse(String(line)) as { event: string; key?: string })
}

test('GET /v1/audit shows rows of both stores as one list, a line each too', async () => {
  const { tenant, ids, until } = await arrange()
  expect(await list(tenant, `until=${until}`)).toMatchObject({ status: 200, ids, body: { has_more: false } })
  const first = await list(tenant, `until=${until}&limit=2`)
  expect(first.ids).toEqual(ids.slice(0, 2))
  const rest = await list(tenant, `until=${until}&limit=2&cursor=${first.body.next_cursor}`)
  expect(rest).toMatchObject({ ids: ids.slice(2), body: { has_more: false, next_cursor: null } })
  const headers = { ...(await newSession(tenant)), Accept: 'application/x-ndjson' }
  const answer = await callWith(BOUND, `/v1/audit?until=${until}`, { headers })
  const lines = answer.text.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids)
})

test.each<[string, (key: string, other: string) => Promise<unknown>]>([
  ['is missing', (key) => bucket.delete([key])],
  ['is empty', (key) => replace(key, new Uint8Array(0))],
  ['is cut', async (key) => replace(key, (await bucket.get(key))?.slice(0, 40) ?? new Uint8Array(0))],
  ['is that of another tenant', async (key, other) => replace(key, (await bucket.get(other)) ?? new Uint8Array(0))],
])('security 110: where an object %s the rows before it are shown, then it is 503 with a log line', async (_, harm) => {
  const lines = logged()
  const { tenant, ids, keys, until } = await arrange()
  const other = await arrange()
  const [, broken = ''] = keys
  await harm(broken, other.keys[1] ?? '')
  const first = await list(tenant, `until=${until}`)
  expect(first).toMatchObject({ status: 200, ids: ids.slice(0, 2), body: { has_more: true } })
  const second = await list(tenant, `until=${until}&cursor=${first.body.next_cursor}`)
  expect(second).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } })
  expect(second.headers.get('retry-after')).toBe('5')
  expect(lines()).toContainEqual(
    expect.objectContaining({ event: 'audit.object_unreadable', key: broken, alert: true }),
  )
  // What is older is found by its time.
  const [oldest] = keys.slice(2)
  const { newest_at } = (await audit.first<{ newest_at: number }>(
    'select newest_at from audit_objects where key = :key',
    { key: oldest ?? '' },
  )) ?? { newest_at: 0 }
  expect(await list(tenant, `until=${new Date(newest_at + 1).toISOString()}`)).toMatchObject({ ids: ids.slice(3) })
})

test('security 110: an index row that names the object of another tenant shows nothing of it', async () => {
  const { tenant, keys, until } = await arrange()
  const other = await arrange()
  logged()
  for (const [nth, key] of keys.entries()) {
    await audit.write('delete from audit_objects where key = :key', { key: other.keys[nth] ?? '' })
    await audit.write('update audit_objects set key = :other where key = :key', {
      other: other.keys[nth] ?? '',
      key,
    })
  }
  const answer = await list(tenant, `until=${until}`)
  expect(answer.ids).toHaveLength(1)
  const next = await list(tenant, `until=${until}&cursor=${answer.body.next_cursor}`)
  expect(next.status).toBe(503)
  expect(JSON.stringify(next.body)).not.toContain(other.tenant.tenantId)
})

test('security 111: a made-up cursor is refused, and no position, with whatever page of whomever, shows rows of others', async () => {
  const { tenant, ids } = await arrange()
  const other = await arrange()
  const pages = await audit.all<{ newest_at: number; newest_id: string }>(
    'select newest_at, newest_id from audit_objects where tenant_id = :tenant',
    { tenant: other.tenant.tenantId },
  )
  const positions: [number, string, number][] = [
    ...pages.map(({ newest_at, newest_id }): [number, string, number] => [newest_at, newest_id, 1e15]),
    [Number.MAX_SAFE_INTEGER, '\u{10ffff}', 1e15],
    [-1, '', -1],
    [1e300, "' or 1=1 --", 0],
    [-1e300, 'x', 0.5],
    [system.now() + 0.5, '%', 0],
  ]
  let whole = false
  for (const position of positions) {
    expect(await list(tenant, `cursor=${encodeCursor(position)}`)).toMatchObject({ status: 422 })
    const cursor = await sealCursor(system, 'audit', tenant.tenantId, position)
    const { status, ids: seen = [] } = await list(tenant, `limit=100&cursor=${cursor}`)
    expect(status).toBe(200)
    expect(seen.filter((id) => other.ids.includes(id))).toEqual([])
    whole ||= ids.every((id) => seen.includes(id))
  }
  expect(whole).toBe(true)
})

test('contract §3: where the bucket is down a list shows what the database has, and what needs an object is 503', async () => {
  const { tenant, ids } = await arrange()
  const down = archiving({ get: () => Promise.reject(new Error('the store is down')) })
  await expect(walk(down.system, tenant)).rejects.toMatchObject({ code: 'dependency_unavailable' })
  expect((await walk(down.system, tenant, { filter: { since: system.now() - DAY + 3 * HOUR } })).ids).toEqual(
    ids.slice(0, 1),
  )
  expect(down.events()).toContain('audit.object_unreadable')
})

test('without its binding the service says 503 and leaves no row out in silence', async () => {
  logged()
  const { tenant, ids, until } = await arrange()
  const first = await list(tenant, `until=${until}`, {})
  expect(first).toMatchObject({ ids: ids.slice(0, 1), body: { has_more: true } })
  expect((await list(tenant, `until=${until}&cursor=${first.body.next_cursor}`, {})).status).toBe(503)
})

test('what objects hold of a row is what the database held: ids, and no address, text or query', async () => {
  const { tenant, keys } = await arrange()
  const packed = (await bucket.get(keys[0] ?? '')) ?? new Uint8Array(0)
  const lines = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
  const [row] = JSON.parse(lines).rows
  expect(Object.keys(row).sort()).toEqual([
    'action',
    'actor',
    'at',
    'credential',
    'id',
    'outcome',
    'project_id',
    'request_id',
    'resource_ids',
    'tenant_id',
    'workspace_id',
  ])
  expect(lines).not.toContain(tenant.email)
})
