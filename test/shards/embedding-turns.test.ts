/** @module-tag long */
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Meter } from '../../src/core/database/meter.ts'
import { embedConsumer } from '../../src/memory/embedding/consumer.ts'
import { takeDue } from '../../src/memory/embedding/due.ts'
import type { EmbedMessage } from '../../src/memory/embedding/queue.ts'
import { travel } from '../support/clock.ts'
import { messageOf } from '../support/queue-message.ts'
import { ctxOf, stored } from '../support/search.ts'
import { newTenant, system, type Tenant } from '../support/world.ts'
import type { EmbeddingModel } from '../../src/core/models.ts'
import { embeddingModel, systemWith } from '../support/models.ts'

/** No other test leaves items here, so that a portion holds those of the test alone. */
const SHARD = '01'
const db = system.database(SHARD)
const tenant = () => newTenant({ shard: SHARD })

beforeEach(() => travel(0))

const store = async (user: Tenant, text: string): Promise<string> => (await stored(ctxOf(user, { db }), text)).id

const makeDue = (id: string, at: number) =>
  db.write('update memory_items set next_attempt_at = :at where id = :id', { id, at })

/**
 * Items of a user that have been due since 1970, each with a text of its own, by so many authors. They count as failed when
 * the test ends.
 */
async function backlogOf(user: Tenant, items: number, authors = 1): Promise<void> {
  const like = await store(user, 'one of very many')
  await makeDue(like, 0)
  const columns = await db.all<{ name: string }>(
    "select name from pragma_table_info('memory_items') where name not in ('row', 'id', 'text', 'text_by')",
  )
  const names = columns.map(({ name }) => name).join(', ')
  await db.write(
    `insert into memory_items (id, text, text_by, ${names})
     select i.id || '-' || n.value, i.text || ' ' || n.value, iif(:authors = 1, i.text_by, 'author ' || (n.value % :authors)), ${names}
     from memory_items i join (with n(value) as (select 1 union all select value + 1 from n where value < :items - 1)
       select value from n) n
     where i.id = :like`,
    { like, items, authors },
  )
  onTestFinished(async () => {
    await db.write("update memory_items set embedding_status = 'failed' where project_id = :project", {
      project: user.projectId,
    })
  })
}

/** Rows that a portion reads. */
async function rowsRead(): Promise<number> {
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const taken = await takeDue({ ...system, database: () => db.metered(meter) }, SHARD)
  expect(taken.length).toBeGreaterThan(900)
  return meter.rowsRead
}

/** Takes portion after portion until nothing is due. */
async function takeAll(): Promise<string[][]> {
  const portions: string[][] = []
  for (let some = await takeDue(system, SHARD); some.length > 0; some = await takeDue(system, SHARD))
    portions.push(some)
  return portions
}

test('a backlog of 10,000 items: one of another tenant and one of a colleague are among the first of the next portion', async () => {
  const [busy, other] = [await tenant(), await tenant()]
  await backlogOf(busy, 10_000)
  const [alone, colleague] = [await store(other, 'the only one'), await store(busy, 'by a colleague')]
  await makeDue(alone, system.now())
  await makeDue(colleague, system.now())
  await db.write("update memory_items set text_by = 'usr_colleague' where id = :colleague", { colleague })
  const portions = await takeAll()
  expect(portions[0]?.indexOf(alone)).toBeLessThan(2)
  expect(portions[0]?.indexOf(colleague)).toBeLessThan(4)
  for (const some of portions) expect(some.length).toBeLessThanOrEqual(1_000)
  // With nobody else waiting, the busy tenant has whole portions.
  expect(portions.slice(1, -1).every((some) => some.length === 1_000)).toBe(true)
  const taken = portions.flat()
  expect([taken.length, new Set(taken).size]).toEqual([10_002, 10_002])
})

test('a portion reads as few rows however much is due', async () => {
  const busy = await tenant()
  await backlogOf(busy, 2_000)
  const before = await rowsRead()
  await backlogOf(busy, 6_000)
  expect(await rowsRead()).toBe(before)
  expect(before).toBeLessThan(10_000)
})

test('with more authors than a portion looks at, another tenant still has its share, and every item comes once', async () => {
  const [busy, other] = [await tenant(), await tenant()]
  await backlogOf(busy, 2_500, 1_250)
  const [first, last] = [await store(other, 'the oldest'), await store(other, 'the youngest')]
  await makeDue(first, -1)
  await makeDue(last, system.now())
  const portions = await takeAll()
  const taken = portions.flat()
  expect([taken.length, new Set(taken).size]).toEqual([2_502, 2_502])
  // The other tenant has a share of its own, so both of its items are in the first portion.
  for (const id of [first, last]) expect(portions[0]?.indexOf(id)).toBeLessThan(4)
})

test('a look at as many authors as there may be in a portion reads a bounded number of rows', async () => {
  await backlogOf(await tenant(), 3_000, 1_500)
  expect(await rowsRead()).toBeLessThan(20_000)
})

/** Two consumers of the queue at once, whose model keeps the texts of each call and takes `callMs` on the clock. */
function consumers(callMs = 0) {
  const waiting: EmbedMessage[] = []
  const calls: (readonly string[])[] = []
  const model: EmbeddingModel = {
    ...embeddingModel,
    embed: async (...call) => {
      calls.push(call[0])
      travel(callMs)
      return embeddingModel.embed(...call)
    },
  }
  const own = systemWith(model, {
    queues: {
      send: async (queue, bodies) =>
        void (queue === 'embed' && waiting.push(...bodies.map((body) => body as EmbedMessage))),
    },
  })
  const consume = async (bodies: readonly EmbedMessage[]) =>
    void waiting.push(...((await embedConsumer.consume(own, bodies.map(messageOf))) as EmbedMessage[]))
  return { waiting, calls, consume }
}

const times = (texts: readonly string[], text: string) => texts.filter((one) => one === text).length

test('the consumer of a backlog embeds the one item of another tenant with its first call, and none twice', async () => {
  const [busy, other] = [await tenant(), await tenant()]
  await backlogOf(busy, 300)
  await makeDue(await store(other, 'the only one'), system.now())
  const { waiting, calls, consume } = consumers()
  const chain: EmbedMessage = { kind: 'embed', shard: SHARD, ids: [], until: system.now() + 50_000 }
  await Promise.all([consume([chain]), consume([chain])])
  expect(waiting).toEqual([])
  const firsts = calls.slice(0, 2).flat()
  expect(firsts).toContain('the only one')
  const texts = calls.flat()
  expect([texts.length, new Set(texts).size]).toEqual([301, 301])
})

test('what was just stored: a tenant whose message comes last has its turn in the first call, and none is embedded twice', async () => {
  const [busy, other] = [await tenant(), await tenant()]
  await backlogOf(busy, 400)
  const rows = await db.all<{ id: string }>('select id from memory_items where project_id = :project', {
    project: busy.projectId,
  })
  const ids = rows.map(({ id }) => id)
  // As after their stores: the sweep does not look at them.
  await db.write('update memory_items set next_attempt_at = :next_attempt_at where project_id = :project', {
    project: busy.projectId,
    next_attempt_at: system.now() + 60_000,
  })
  const alone = await store(other, 'the only one')
  const message = (some: readonly string[]): EmbedMessage => ({ kind: 'embed', shard: SHARD, ids: some })
  const { waiting, calls, consume } = consumers(1_000)
  await consume([...[0, 100, 200, 300].map((at) => message(ids.slice(at, at + 100))), message([alone])])
  expect(times(calls[0] ?? [], 'the only one')).toBe(1)
  // After its round it lets others in, and the rest goes behind what waits.
  expect(waiting.flatMap((body) => body.ids).length).toBe(401 - calls.flat().length)
  expect(calls.length).toBeLessThan(5)
  while (waiting.length > 0) {
    const all = waiting.splice(0)
    // Each message twice, as a queue may deliver it.
    await Promise.all([consume(all), consume(all)])
  }
  const texts = calls.flat()
  expect([texts.length, new Set(texts).size]).toEqual([401, 401])
})
