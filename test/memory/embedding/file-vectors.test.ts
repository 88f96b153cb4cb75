/** @module-tag shards */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { expect, test, vi } from 'vitest'
import { embeddedEmbedder } from '../../../src/backends/embedder.embedded.ts'
import { vectorizeIndex } from '../../../src/backends/vector-index.vectorize.ts'
import type { AuthContext } from '../../../src/core/context.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { filingSweep } from '../../../src/memory/embedding/file-vectors.ts'
import { UpdateInput } from '../../../src/memory/item.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { ctxOf, embedded, find, idsOf, withTiers } from '../../support/search.ts'
import { VectorizeDouble } from '../../support/vectorize.ts'
import { addMember, db, newTenant, system, type Tenant } from '../../support/world.ts'

const TEXTS = ['a boiling kettle', 'a kettle on the stove', 'tea in the garden']

/** Vectors as an earlier version of the service has stored them. */
async function withoutReaders({ projectId }: Pick<Tenant, 'projectId'>): Promise<void> {
  const object = env.PROJECT_VECTORS.getByName(projectId)
  await runInDurableObject(object, (_, { storage: { sql } }) => void sql.exec('alter table runs drop column reader'))
  await evictDurableObject(object)
  await db.write('update memory_items set filed_as = null where project_id = :project', { project: projectId })
}

const unfiledOf = async ({ projectId }: Pick<Tenant, 'projectId'>): Promise<number> =>
  (
    await db.first<{ n: number }>(
      `select count(*) as n from memory_items
       where project_id = :project and filed_as is not coalesce(lease_id, '') || ':' || iif(visibility = 'project', '', created_by)`,
      { project: projectId },
    )
  )?.n ?? NaN

/** What a search answers, how many statements it ran, and whose parts each query compared. */
async function asked(ctx: AuthContext, context: Record<string, unknown> = {}) {
  const readers: (string | null | undefined)[] = []
  const projectVectors: AuthContext['projectVectors'] = (projectId, shard) => {
    const real = ctx.projectVectors(projectId, shard)
    return { ...real, query: (query) => (readers.push(query.reader), real.query({ ...query, revision: null })) }
  }
  const reply = await find(withTiers(ctx, { projectVectors }), 'boiling kettle', { mode: 'semantic', context })
  return { ids: idsOf(reply), readers, reply: { ...reply, took_ms: 0 } }
}

test('vectors of an earlier version are all compared, and a sweep gives them their readers', async () => {
  const owner = await newTenant()
  const [member, other] = [await addMember(owner, 'editor'), await addMember(owner, 'editor')]
  const context = { project_id: owner.projectId }
  const open = await embedded(ctxOf(owner), TEXTS)
  const own = await embedded(ctxOf(member), TEXTS, { visibility: 'private' })
  await embedded(ctxOf(other), TEXTS, { visibility: 'private' })
  const before = await asked(ctxOf(member), context)
  expect(before.readers).toEqual([member.userId])
  expect(new Set(before.ids)).toEqual(new Set([...open, ...own]))
  await withoutReaders(owner)
  // The first search finds out, and the next ones of the isolate know.
  const first = await asked(ctxOf(member), context)
  expect(first.readers).toEqual([member.userId, null])
  expect(new Set(first.ids)).toEqual(new Set(before.ids))
  const second = await asked(ctxOf(member), context)
  expect(second.readers).toEqual([null])
  expect(second.reply).toEqual(first.reply)
  await filingSweep.run(system)
  expect(await unfiledOf(owner)).toBe(0)
  expect((await asked(ctxOf(member), context)).readers).toEqual([null, member.userId])
  expect(await asked(ctxOf(member), context)).toEqual(before)
})

test('the sweep that gives vectors their readers gives those of turns their words, too', async () => {
  const owner = await newTenant()
  const [turn = ''] = await embedded(ctxOf(owner), TEXTS.slice(0, 1), { context: { conversation_id: 'c' } })
  const words = async () => {
    const [entry] = await system.projectVectors(owner.projectId, db.shard).entries([{ item: turn }])
    return entry?.turnWords
  }
  await runInDurableObject(env.PROJECT_VECTORS.getByName(owner.projectId), (_, { storage: { sql } }) => {
    sql.exec('alter table runs drop column turn_words')
  })
  await withoutReaders(owner)
  expect(await words()).toBeNull()
  await filingSweep.run(system)
  expect(await words()).toBe(3)
})

test('what an older Worker embeds after a rollback is due again, and so is what it makes private', async () => {
  const owner = await newTenant()
  const [id = ''] = await embedded(ctxOf(owner), TEXTS)
  expect(await unfiledOf(owner)).toBe(0)
  // Its lease is another one, and it does not know the column.
  await db.write(`update memory_items set lease_id = 'req_older' where id = :id`, { id })
  expect(await unfiledOf(owner)).toBe(1)
  await filingSweep.run(system)
  expect(await unfiledOf(owner)).toBe(0)
  await db.write(`update memory_items set visibility = 'private' where id = :id`, { id })
  expect(await unfiledOf(owner)).toBe(1)
  await filingSweep.run(system)
  expect(await unfiledOf(owner)).toBe(0)
  const member = await addMember(owner, 'editor')
  const found = await asked(ctxOf(member), { project_id: owner.projectId })
  expect(found.readers).toEqual([member.userId])
  expect(found.ids).toHaveLength(2)
})

test('an object of an older version keeps no readers, so its items are due', async () => {
  const owner = await newTenant()
  const ctx = ctxOf(owner)
  const older: AuthContext['projectVectors'] = (projectId, shard) => {
    const real = system.projectVectors(projectId, shard)
    return { ...real, put: async (model, entries) => (await real.put(model, entries), false) }
  }
  await embedded({ ...ctx, projectVectors: older }, TEXTS)
  expect(await unfiledOf(owner)).toBe(TEXTS.length)
})

test('contract §3: an item that becomes private, or is shared, is embedded again for its new readers', async () => {
  const owner = await newTenant()
  const member = await addMember(owner, 'editor')
  const [id = ''] = await embedded(ctxOf(owner), TEXTS)
  const seen = async () => (await asked(ctxOf(member), { project_id: owner.projectId })).reply
  const setTo = async (visibility: string) => {
    const ctx = { ...ctxOf(owner), requestId: system.newId('req') }
    const item = await update(ctx, { id, input: UpdateInput.parse({ visibility }), ifMatch: null })
    expect(item).toMatchObject({ embedding_status: 'pending' })
    await embedItems(ctx, db, [id])
  }
  const before = await seen()
  expect(before.results).toHaveLength(3)
  await setTo('private')
  const without = await seen()
  expect(without.results).toHaveLength(2)
  await setTo('project')
  const shared = await seen()
  expect(shared.results.map(({ score }) => score)).toEqual(before.results.map(({ score }) => score))
})

test('an index gets the vectors again, and from then on it is asked for what the caller may read', async () => {
  const owner = await newTenant()
  const double = new VectorizeDouble(embeddedEmbedder.dimension)
  const index = vectorizeIndex(double, embeddedEmbedder.model)
  const ctx = ctxOf(owner, { vectorIndex: index })
  const [id = ''] = await embedded(ctx, TEXTS)
  await withoutReaders(owner)
  // The index has them without a reader.
  const stored = await system.projectVectors(owner.projectId, db.shard).entries([{ item: id }])
  await index.upsert(owner.tenantId, owner.projectId, stored)
  double.flush()
  const [{ values } = { values: new Float32Array() }] = stored
  const query = { model: embeddedEmbedder.model, vector: values, pieces: null, limit: 10, namespaces: ['default'] }
  const items = async (reader: string | null) =>
    (await index.query(owner.tenantId, owner.projectId, { ...query, reader })).map(({ item }) => item)
  expect(await items(owner.userId)).not.toContain(id)
  await filingSweep.run({ ...system, vectorIndex: index })
  double.flush()
  expect(await items(owner.userId)).toContain(id)
  expect(double.ids().filter((name) => name.startsWith(id))).toEqual([`${id}:1:0`])
})

test('no number of projects whose objects do not answer keeps the sweep from another one', async () => {
  const broken = await Promise.all(Array.from({ length: 20 }, () => newTenant()))
  const sound = await newTenant()
  for (const user of [...broken, sound]) {
    await embedded(ctxOf(user), TEXTS.slice(0, 1))
    await db.write('update memory_items set filed_as = null where project_id = :project', { project: user.projectId })
  }
  const failing = new Set(broken.map(({ projectId }) => projectId))
  const projectVectors: AuthContext['projectVectors'] = (projectId, shard) => {
    const real = system.projectVectors(projectId, shard)
    return failing.has(projectId) ? { ...real, setReaders: () => Promise.reject(new Error('down')) } : real
  }
  /** A run that begins behind the project of this item. */
  const sweepBehind = async ({ projectId }: Tenant) => {
    const at = await db.first<{ place: number }>(
      `select 65536.0 * min(row) / (select max(row) from memory_items) as place from memory_items where project_id = :project`,
      { project: projectId },
    )
    const place = Math.floor(at?.place ?? 0)
    await filingSweep.run({ ...system, projectVectors, random: () => Uint8Array.of(place >> 8, place & 255) })
  }
  const inOrder = broken.toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1))
  for (const start of inOrder) await sweepBehind(start)
  expect(await unfiledOf(sound)).toBe(0)
  for (const user of broken) expect(await unfiledOf(user)).toBe(1)
  await filingSweep.run(system)
  for (const user of broken) expect(await unfiledOf(user)).toBe(0)
})

test('a project whose object does not answer holds up no other', async () => {
  const [broken, sound] = [await newTenant(), await newTenant()]
  for (const user of [broken, sound]) {
    await embedded(ctxOf(user), TEXTS)
    await withoutReaders(user)
  }
  const error = vi.fn<typeof system.log.error>()
  const projectVectors: AuthContext['projectVectors'] = (projectId, shard) => {
    const real = system.projectVectors(projectId, shard)
    return projectId === broken.projectId ? { ...real, setReaders: () => Promise.reject(new Error('down')) } : real
  }
  await filingSweep.run({ ...system, projectVectors, log: { ...system.log, error } })
  expect([await unfiledOf(broken), await unfiledOf(sound)]).toEqual([TEXTS.length, 0])
  expect(error.mock.calls.map(([{ event }]) => event)).toContain('memory.vectors_not_filed')
  await filingSweep.run(system)
  expect(await unfiledOf(broken)).toBe(0)
})
