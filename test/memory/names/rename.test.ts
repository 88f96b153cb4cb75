/** @module-tag shards */
import { expect, test } from 'vitest'
import type { Database } from '../../../src/core/database/database.ts'
import { StoreInput, UpdateInput } from '../../../src/memory/item.ts'
import { reindexSweep } from '../../../src/memory/keyword/reindex.ts'
import { bulkDelete, BulkDeleteInput } from '../../../src/memory/operations/bulk-delete.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { store } from '../../../src/memory/operations/store.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { retire } from '../../../src/memory/retirement/retire.ts'
import { interrupted } from '../../support/interrupted.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

const NFC = 'caf\u00E9'
const NFD = NFC.normalize('NFD')

/** As the version before wrote an item: with its names as they came, and due. */
async function asEarlier(id: string, customId: string | null, changedAt = system.now()) {
  await db.write(
    `update memory_items set custom_id = :custom_id, tags = :tags, conversation_id = :name, updated_at = :changed_at,
       indexed_by = 1, indexed_version = 0 where id = :id`,
    { id, custom_id: customId, tags: JSON.stringify([NFD, NFC, 'a']), name: NFD, changed_at: changedAt },
  )
  await db.write(
    `insert into memory_tags (item_row, project_id, tag) select i.row, i.project_id, t.value
      from memory_items i cross join json_each(i.tags) t where i.id = :id on conflict do nothing`,
    { id },
  )
}

const sweep = () => reindexSweep.run(system)
const namesOf = (id: string) =>
  db.first<{
    custom_id: string
    tags: string
    conversation_id: string
    version: number
    tagged: string
    is_due: number
  }>(
    `select custom_id, tags, conversation_id, version, indexed_version <> version as is_due,
      (select json_group_array(tag) from (select tag from memory_tags where item_row = i.row order by tag)) as tagged
      from memory_items i where id = :id`,
    { id },
  )
const listed = async (ctx: ReturnType<typeof ctxOf>, query: object) =>
  (await list(ctx, ListInput.parse(query))).data.map(({ id }) => id)
const byCustomId = (custom_id: string) => ({ filters: JSON.stringify({ custom_id }) })
const again = (ctx: ReturnType<typeof ctxOf>) => ({ ...ctx, requestId: system.newId('req') })
const storedAs = (ctx: ReturnType<typeof ctxOf>, content: string, custom_id: string) =>
  store(again(ctx), StoreInput.parse({ content, custom_id }))

test('the sweep brings custom_id, tags and ids of the context to NFC; version and times stay', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'kettle')
  await asEarlier(id, NFD)
  await sweep()
  expect(await namesOf(id)).toEqual({
    custom_id: NFC,
    tags: JSON.stringify([NFC, 'a']),
    conversation_id: NFC,
    version: 1,
    tagged: JSON.stringify(['a', NFC]),
    is_due: 0,
  })
  for (const query of [{ tags: NFD }, { conversation_id: NFC }, byCustomId(NFD)])
    expect(await listed(ctx, query)).toEqual([id])
})

test('until then a store, an update and a filter by custom_id find the item in either form', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'kettle')
  await asEarlier(id, NFD)
  for (const form of [NFC, NFD]) expect(await listed(ctx, byCustomId(form))).toEqual([id])
  const { id: other } = await stored(ctx, 'other')
  const taken = update(again(ctx), { id: other, input: UpdateInput.parse({ custom_id: NFC }), ifMatch: null })
  await expect(taken).rejects.toMatchObject({ code: 'custom_id_taken' })
  expect(await storedAs(ctx, 'a new text', NFC)).toMatchObject({ item: { id, custom_id: NFC, version: 2 } })
  expect(await namesOf(id)).toMatchObject({ custom_id: NFC, is_due: 1 })
  await sweep()
  expect(await namesOf(id)).toMatchObject({ custom_id: NFC, conversation_id: NFC, is_due: 0 })
})

test('a write that brings no name leaves an item with another form due', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'kettle')
  await asEarlier(id, NFD)
  await update(again(ctx), { id, input: UpdateInput.parse({ content: 'a boat of oak' }), ifMatch: null })
  expect(await namesOf(id)).toMatchObject({ custom_id: NFD, is_due: 1 })
  await sweep()
  expect(await namesOf(id)).toMatchObject({ custom_id: NFC, is_due: 0 })
})

test('contract §3: of two items whose custom_ids become one, the later changed has it, and neither is lost', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const [older, newer] = [await stored(ctx, 'older'), await stored(ctx, 'newer')]
  await asEarlier(older.id, NFC, system.now() - 1_000)
  await asEarlier(newer.id, NFD)
  // Until the sweep the item in NFC has the name.
  expect(await storedAs(ctx, 'older, changed', NFD)).toMatchObject({ item: { id: older.id } })
  await asEarlier(older.id, NFC, system.now() - 1_000)
  await sweep()
  const aside = `${NFC}#${older.id}`
  expect([await namesOf(newer.id), await namesOf(older.id)]).toMatchObject([
    { custom_id: NFC, is_due: 0 },
    { custom_id: aside, is_due: 0 },
  ])
  expect(await listed(ctx, byCustomId(NFD))).toEqual([newer.id])
  expect(await listed(ctx, byCustomId(aside))).toEqual([older.id])
  const deleted = await bulkDelete(
    again(ctx),
    BulkDeleteInput.parse({ filters: { custom_id: aside.normalize('NFD') } }),
  )
  expect(deleted).toEqual({ deleted: 1, has_more: false })
})

/** The sweep, in which `act` runs before its batch. */
const sweepWhile = (act: (batch: number) => Promise<void>, own: Database = interrupted(act)) =>
  reindexSweep.run({ ...system, shards: [own.shard], database: () => own })

test('an item that is changed between the read of the sweep and its batch keeps its names until the next portion', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'kettle')
  await asEarlier(id, NFD)
  await sweepWhile(async (batch) => {
    if (batch > 0) return
    await update(again(ctx), { id, input: UpdateInput.parse({ tags: ['b'], custom_id: 'other' }), ifMatch: null })
  })
  expect(await namesOf(id)).toMatchObject({ custom_id: 'other', tags: '["b"]', conversation_id: NFC, is_due: 0 })
})

test('an item keeps its name if the one that was to get it is deleted before the batch', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const [older, newer] = [await stored(ctx, 'older'), await stored(ctx, 'newer')]
  await asEarlier(older.id, NFC, system.now() - 1_000)
  await asEarlier(newer.id, NFD)
  await sweepWhile(async (batch) => {
    if (batch === 0) await deleteItem(again(ctx), { id: newer.id, ifMatch: null })
  })
  expect(await namesOf(older.id)).toMatchObject({ custom_id: NFC, is_due: 0 })
})

test('a name that another item took before the batch is settled in the next portion', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const [one, other] = [await stored(ctx, 'one'), await stored(ctx, 'other')]
  await asEarlier(one.id, NFD, system.now() - 1_000)
  await sweepWhile(async (batch) => {
    // An earlier version of the service, which knows one form alone.
    if (batch === 0) await asEarlier(other.id, NFC)
  })
  expect(await namesOf(other.id)).toMatchObject({ custom_id: NFC })
  expect(await namesOf(one.id)).toMatchObject({ custom_id: `${NFC}#${one.id}`, is_due: 0 })
})

test('an item that gives its name up, and whose other name is taken, has none', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const [older, newer] = [await stored(ctx, 'older'), await stored(ctx, 'newer')]
  await asEarlier(older.id, NFC, system.now() - 1_000)
  await asEarlier(newer.id, NFD)
  const { item: third } = await storedAs(ctx, 'third', `${NFC}#${older.id}`)
  await sweep()
  expect(await namesOf(older.id)).toMatchObject({ custom_id: null, is_due: 0 })
  expect(await namesOf(newer.id)).toMatchObject({ custom_id: NFC, is_due: 0 })
  expect(await namesOf(third.id)).toMatchObject({ custom_id: `${NFC}#${older.id}`, is_due: 0 })
})

test('a retired item that holds the name in NFC gives it up to the current one', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const [retired, current] = [await stored(ctx, 'older'), await stored(ctx, 'newer')]
  await asEarlier(current.id, NFD, system.now() - 1_000)
  await asEarlier(retired.id, NFC)
  await retire(again(ctx), { id: retired.id, reason: null, ifMatch: null })
  await sweep()
  expect(await namesOf(current.id)).toMatchObject({ custom_id: NFC, is_due: 0 })
  expect(await namesOf(retired.id)).toMatchObject({ custom_id: `${NFC}#${retired.id}` })
})
