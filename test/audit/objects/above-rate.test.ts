import { env } from 'cloudflare:workers'
import { afterEach, expect, test } from 'vitest'
import { emptyMessage, type AuditMessage } from '../../../src/audit/message.ts'
import { ABOVE_RATE_CHARACTERS, MAX_ABOVE_RATE } from '../../../src/audit/objects/write-past.ts'
import { ACCESSES_A_PAGE, LOAD_STEP_MS, loadStep, MAX_LOAD_OF_STEP } from '../../../src/audit/page-load.ts'
import { storeMessages } from '../../../src/audit/store.ts'
import { auditInsert, type AuditRow } from '../../../src/audit/index.ts'
import { moveOutbox } from '../../../src/audit/move-outbox.ts'
import { Database } from '../../../src/core/database/database.ts'
import { unavailable } from '../../../src/core/errors.ts'
import { budgeted } from '../../../src/core/queue.ts'
import { archiving, storesOf, walk } from '../../support/audit-objects.ts'
import { auditRowOf } from '../../support/audit.ts'
import { travel } from '../../support/clock.ts'
import { db, newTenant, system, type Tenant } from '../../support/world.ts'

const audit = system.auditDatabase('00')
const ROW_CHARACTERS = 500
/** Accesses that are enough for an object above the rate, and far from enough below it. */
const MANY = 2 * Math.ceil(ABOVE_RATE_CHARACTERS / ROW_CHARACTERS)

/** What the database has got in this step. */
async function setLoad(load: number): Promise<void> {
  await audit.write('delete from page_loads')
  await audit.write('insert into page_loads (at, load) values (?, ?)', loadStep(system.now()), load)
}
// The database is shared with other files.
afterEach(() => setLoad(0))
const loads = () => audit.all<{ load: number }>('select load from page_loads order by at')

/** A message with so many accesses of each tenant, a millisecond apart. */
function messageOf(...accesses: [tenant: Tenant, many: number][]): AuditMessage {
  const rows = accesses.flatMap(([tenant, many]) =>
    Array.from({ length: many }, (_, nth): AuditRow => {
      const at = new Date(system.now() + nth).toISOString()
      return { ...auditRowOf(tenant), at, resource_ids: ['x'.repeat(200)] }
    }),
  )
  return { ...emptyMessage(), id: system.newId('aud'), rows }
}
const idsOf = (messages: readonly AuditMessage[], { tenantId }: Tenant) =>
  messages.flatMap(({ rows }) => rows.filter((row) => row.tenant_id === tenantId).map(({ id }) => id)).sort()
const isIn = async (tenant: Tenant) => {
  const { objects, pages } = await storesOf(tenant)
  return { objects: objects.length, pages }
}

async function arrange(load: number) {
  travel(0)
  const [large, middle, small] = [await newTenant(), await newTenant(), await newTenant()]
  await setLoad(load)
  const message = messageOf([small, 1], [middle, MANY], [large, 2 * MANY])
  return { large, middle, small, message }
}

test('above the rate of its database a consumer writes objects, but for pages as small as their index', async () => {
  const { large, middle, small, message } = await arrange(MAX_LOAD_OF_STEP)
  const { system: by } = archiving()
  await storeMessages(by, '00', [message])
  expect(await isIn(large)).toEqual({ objects: 1, pages: 0 })
  expect(await isIn(middle)).toEqual({ objects: 1, pages: 0 })
  expect(await isIn(small)).toEqual({ objects: 0, pages: 1 })
  for (const tenant of [large, middle, small])
    expect((await walk(by, tenant, { limit: 100 })).ids.toSorted()).toEqual(idsOf([message], tenant))
  expect(await loads()).toEqual([{ load: MAX_LOAD_OF_STEP + 1 }])
})

test('below it all rows become pages, and just above it the largest tenant alone gets an object', async () => {
  const { large, middle, small, message } = await arrange(0)
  const ofBatch = 3 + Math.floor((3 * MANY + 1) / ACCESSES_A_PAGE)
  const { system: by } = archiving()
  await setLoad(MAX_LOAD_OF_STEP - ofBatch)
  await storeMessages(by, '00', [message])
  for (const tenant of [large, middle, small]) expect(await isIn(tenant)).toEqual({ objects: 0, pages: 1 })
  expect(await loads()).toEqual([{ load: MAX_LOAD_OF_STEP }])
  await setLoad(MAX_LOAD_OF_STEP - ofBatch + 1)
  await storeMessages(by, '00', [messageOf([small, 1], [middle, MANY], [large, 2 * MANY])])
  expect(await isIn(large)).toEqual({ objects: 1, pages: 1 })
  for (const tenant of [middle, small]) expect(await isIn(tenant)).toEqual({ objects: 0, pages: 2 })
})

test('in the next step the database gets pages again, and a list shows both stores as one, by filter and cursor', async () => {
  const { large } = await arrange(MAX_LOAD_OF_STEP)
  const { system: by } = archiving()
  const messages: AuditMessage[] = []
  for (const ms of [0, 1_000, LOAD_STEP_MS, 1_000]) {
    travel(ms)
    if (ms === 1_000) await setLoad(MAX_LOAD_OF_STEP)
    const message = messageOf([large, MANY])
    messages.push(message)
    await storeMessages(by, '00', [message])
  }
  expect(await isIn(large)).toEqual({ objects: 3, pages: 1 })
  const expected = messages
    .flatMap(({ rows }) => rows)
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
    .map(({ at }) => at)
  const { rows } = await walk(by, large, { limit: 7 })
  expect(rows.map(({ at }) => at)).toEqual(expected)
  const until = Date.parse(expected[MANY] ?? '')
  expect((await walk(by, large, { limit: 9, filter: { until } })).rows.map(({ at }) => at)).toEqual(
    expected.slice(MANY + 1),
  )
})

test('pages of the outbox count for the load of their step, and are never written past', async () => {
  const { large } = await arrange(MAX_LOAD_OF_STEP)
  await moveOutbox(archiving().system, '00')
  await setLoad(MAX_LOAD_OF_STEP)
  const { rows } = messageOf([large, MANY])
  await db.batch(rows.map((row) => auditInsert(system, db, row)))
  await moveOutbox(archiving().system, '00')
  expect(await isIn(large)).toEqual({ objects: 0, pages: 1 })
  expect(await loads()).toEqual([{ load: MAX_LOAD_OF_STEP + 1 + Math.floor(MANY / ACCESSES_A_PAGE) }])
})

test('a batch of very many tenants asks the bucket a bounded number of times, the largest of them first', async () => {
  const { large } = await arrange(MAX_LOAD_OF_STEP)
  const others = Array.from({ length: 3 * MAX_ABOVE_RATE }, (_, nth) => ({
    ...large,
    tenantId: `ten_other_${nth}`,
  }))
  const message = messageOf(...others.map((other): [Tenant, number] => [other, MANY]), [large, MANY + 1])
  let calls = 0
  const objects = new Map<string, { bytes: number; sha256: string }>()
  const { system: by } = archiving({
    put: async (key, { byteLength: bytes }, sha256) => void (objects.set(key, { bytes, sha256 }), (calls += 1)),
    head: async (key) => ((calls += 1), objects.get(key) ?? null),
  })
  const counted = budgeted(by)
  await storeMessages(counted, '00', [message])
  expect(calls).toBe(2 * MAX_ABOVE_RATE)
  expect(counted.queries?.spent).toBeLessThan(calls + 20)
  expect(await isIn(large)).toEqual({ objects: 1, pages: 0 })
  // An invocation that has asked enough calls the bucket no more.
  const next = messageOf([large, MANY])
  if (counted.queries) counted.queries.spent = 500
  await storeMessages(counted, '00', [next])
  expect(calls).toBe(2 * MAX_ABOVE_RATE)
  expect(await isIn(large)).toEqual({ objects: 1, pages: 1 })
})

test('above the rate a message counts once, also where the bucket is down at first or it comes with others', async () => {
  const { large, middle, message } = await arrange(MAX_LOAD_OF_STEP)
  const down = archiving({ put: () => Promise.reject(unavailable('The object store')) })
  const other = messageOf([large, MANY])
  await storeMessages(down.system, '00', [message])
  expect(await isIn(large)).toEqual({ objects: 0, pages: 1 })
  const { system: by } = archiving()
  await Promise.allSettled([storeMessages(by, '00', [message, other]), storeMessages(by, '00', [other])])
  await storeMessages(by, '00', [other, message])
  expect((await walk(by, large, { limit: 100 })).ids.toSorted()).toEqual(idsOf([message, other], large))
  expect((await walk(by, middle, { limit: 100 })).ids.toSorted()).toEqual(idsOf([message], middle))
})

test.each(['reserve', 'put', 'head', 'commit', 'answer'] as const)(
  'a consumer above the rate that dies at %s stores each row once in the end, in one store',
  async (step) => {
    const { large, middle, small, message } = await arrange(MAX_LOAD_OF_STEP)
    let commits = 0
    const die = async (): Promise<never> => {
      throw new Error('D1_ERROR: Network connection lost.')
    }
    const d1 = new Proxy(env.AUDIT_DB, {
      get: (real, name) => {
        if (name !== 'batch') return Reflect.get(real, name).bind(real)
        return async (statements: D1PreparedStatement[]) => {
          commits += 1
          if (step === 'reserve' || (commits === 2 && step !== 'answer')) return die()
          const results = await real.batch(statements)
          return commits === 2 ? die() : results
        }
      },
    })
    const broken = new Database(d1)
    // A call of the bucket that never answers: after it nothing happens but the commit that fails.
    const lost = step === 'put' || step === 'head' ? { [step]: die } : {}
    const dying = archiving(lost, { auditDatabase: () => broken })
    await expect(storeMessages(dying.system, '00', [message])).rejects.toThrow('did not answer')
    const { system: by } = archiving()
    await setLoad(step === 'head' ? 0 : MAX_LOAD_OF_STEP)
    await storeMessages(by, '00', [message])
    for (const tenant of [large, middle, small])
      expect((await walk(by, tenant, { limit: 100 })).ids.toSorted()).toEqual(idsOf([message], tenant))
    expect(await isIn(large)).toEqual(step === 'head' ? { objects: 0, pages: 1 } : { objects: 1, pages: 0 })
  },
)
