/** @module-tag long */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AppError } from '../../../src/core/errors.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { expirySweep } from '../../../src/memory/purge/expire.ts'
import { eraseTombstones, REPEAT_AFTER_MS } from '../../../src/memory/purge/erase.ts'
import { StoreInput } from '../../../src/memory/item.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { importItems } from '../../../src/memory/operations/import.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { retrieve } from '../../../src/memory/operations/retrieve.ts'
import { search } from '../../../src/memory/operations/search.ts'
import { store } from '../../../src/memory/operations/store.ts'
import { SearchInput } from '../../../src/memory/search/search-schema.ts'
import { restore } from '../../../src/memory/retirement/restore.ts'
import { retire } from '../../../src/memory/retirement/retire.ts'
import { unloadRetired } from '../../../src/memory/retirement/unload.ts'
import { travel } from '../../support/clock.ts'
import { ctxOf, losingQueues } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

/** What should be there, in the plainest words. */
interface Item {
  id: string
  text: string
  tags: string[]
  customId: string | null
  status: 'current' | 'retired'
  successor: string | null
  expiresAt: number | null
}

type Op =
  | { op: 'store'; text: string; tags: string[]; customId?: string; ttl?: number; supersedes: number[] }
  | { op: 'import'; text: string; customId: string; retired: boolean }
  | { op: 'retire' | 'restore' | 'delete'; at: number }
  | { op: 'pass' | 'embed' | 'purge' | 'expire' }

const texts = fc.constantFrom('red', 'green', 'blue')
const customId = fc.constantFrom('x', 'y')
const at = fc.nat(6)
const operation: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        op: fc.constant('store' as const),
        text: texts,
        tags: fc.constantFrom<string[]>([], ['a'], ['a', 'b']),
        customId,
        ttl: fc.constantFrom(90, 300),
        supersedes: fc.uniqueArray(at, { maxLength: 2 }),
      },
      { requiredKeys: ['op', 'text', 'tags', 'supersedes'] },
    ),
  },
  fc.record({ op: fc.constant('import' as const), text: texts, customId, retired: fc.boolean() }),
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constantFrom('retire' as const, 'restore' as const, 'delete' as const), at }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom('pass' as const, 'embed' as const, 'purge' as const, 'expire' as const),
    }),
  },
)

class Model {
  items: Item[] = []

  find = (id: string): Item | undefined => this.items.find((item) => item.id === id)

  /** The ids that an index means: of items that are there, and one that never was. */
  idAt = (index: number): string => this.items[index]?.id ?? 'mem_none'

  expire(now: number): void {
    this.items = this.items.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  }

  /** What a store does; the id of a new item is not known yet. A code where it is refused. */
  store(o: Extract<Op, { op: 'store' }>, now: number, ids: readonly string[]): Item | string {
    const superseded = ids.map(this.find)
    const holder = this.items.find((item) => o.customId !== undefined && item.customId === o.customId)
    if (superseded.includes(undefined)) return 'not_found'
    const old = superseded.filter((item) => item !== undefined)
    if (old.some((item) => item.status === 'retired')) return 'conflict'
    const expiresAt = o.ttl === undefined ? null : now + o.ttl * 1_000
    if (holder?.status === 'retired' && holder.text === o.text) return old.length > 0 ? 'conflict' : holder
    if (holder && old.includes(holder)) return 'validation_failed'
    const item = holder ?? this.#added(o.customId ?? null)
    Object.assign(item, { text: o.text, tags: o.tags, status: 'current', successor: null })
    if (o.ttl !== undefined) item.expiresAt = expiresAt
    for (const one of old) Object.assign(one, { status: 'retired', successor: item.id })
    return item
  }

  #added(id: string | null): Item {
    const item: Item = { id: '', text: '', tags: [], customId: id, status: 'current', successor: null, expiresAt: null }
    this.items.push(item)
    return item
  }
}

const codeOf = (error: unknown): string => (error as AppError).code

test('after any sequence the current items are those of a plain model, search finds them, and a restore loses nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 22 }), async (operations) => {
      const tenant = await newTenant()
      const ctx = () => ctxOf(tenant, { queues: losingQueues })
      const model = new Model()
      travel(0)
      const outcomes: { is: string; wanted: string }[] = []
      for (const o of operations) {
        model.expire(system.now())
        if (o.op === 'store') {
          const ids = o.supersedes.map(model.idAt)
          const expected = model.store(o, system.now(), [...new Set(ids)])
          const input = StoreInput.parse({
            content: o.text,
            tags: o.tags,
            custom_id: o.customId,
            ttl: o.ttl,
            ...(ids.length > 0 ? { supersedes: [...new Set(ids)] } : {}),
          })
          const done = await store(ctx(), input).then(({ item }) => item, codeOf)
          outcomes.push({
            is: typeof done === 'string' ? done : done.status,
            wanted: typeof expected === 'string' ? expected : expected.status,
          })
          if (typeof expected !== 'string' && typeof done !== 'string') {
            if (expected.id === '') model.items.forEach((item) => item.successor === '' && (item.successor = done.id))
            expected.id = done.id
          }
        } else if (o.op === 'import') {
          const line = {
            content: o.text,
            custom_id: o.customId,
            tags: [],
            ...(o.retired ? { retired_at: '2026-01-01T00:00:00Z' } : {}),
          }
          const known = model.items.find((item) => item.customId === o.customId)
          const isLeft = known?.status === 'retired' && known.text === o.text
          const item = model.store({ ...o, op: 'store', tags: [], supersedes: [] }, system.now(), [])
          const { results } = await importItems(ctx(), { body: JSON.stringify(line), projectId: undefined })
          if (typeof item === 'string') throw new Error('an import supersedes nothing')
          if (o.retired && !isLeft) item.status = 'retired'
          item.id = results[0]?.id ?? ''
        } else if (o.op === 'retire' || o.op === 'restore' || o.op === 'delete') {
          const id = model.idAt(o.at)
          const item = model.find(id)
          const target = { id, ifMatch: null }
          const run = {
            retire: () => retire(ctx(), { ...target, reason: 'r' }),
            restore: () => restore(ctx(), target),
            delete: () => deleteItem(ctx(), target),
          }
          const code = await run[o.op]().then(() => 'done', codeOf)
          const wanted = o.op === 'retire' ? 'current' : 'retired'
          const done = o.op === 'delete' || item?.status === wanted ? 'done' : 'conflict'
          outcomes.push({ is: code, wanted: item ? done : 'not_found' })
          if (item && code === 'done') {
            if (o.op === 'delete') model.items = model.items.filter((one) => one !== item)
            else Object.assign(item, { status: o.op === 'retire' ? 'retired' : 'current', successor: null })
          }
        } else if (o.op === 'pass') travel(REPEAT_AFTER_MS)
        else if (o.op === 'embed')
          await embedItems(
            system,
            db,
            model.items.map(({ id }) => id),
          )
        else if (o.op === 'expire') await expirySweep.run(system)
        else {
          await eraseTombstones(system, db)
          await unloadRetired(system, db)
        }
      }
      expect(outcomes.map(({ is }) => is)).toEqual(outcomes.map(({ wanted }) => wanted))
      model.expire(system.now())
      const shown = (item: Item) => JSON.stringify([item.id, item.text, item.tags, item.customId, item.status])
      const { data } = await list(ctx(), ListInput.parse({ status: 'any', limit: 100, sort: 'created_at' }))
      expect(
        data
          .map((item) => JSON.stringify([item.id, item.content.text, item.tags, item.custom_id, item.status]))
          .toSorted(),
      ).toEqual(model.items.map(shown).toSorted())
      for (const item of model.items.filter(({ status }) => status === 'retired')) {
        const successor = item.successor === null ? null : model.find(item.successor) ? item.successor : 'gone'
        expect((await retrieve(ctx(), { id: item.id })).superseded_by).toBe(successor)
      }
      const current = () => model.items.filter(({ status }) => status === 'current')
      const foundBy = async (mode: 'keyword' | 'semantic') => {
        const found = await search(
          ctx(),
          SearchInput.parse({
            query: 'red green blue',
            mode,
            limit: 100,
            similarity_threshold: mode === 'semantic' ? 0 : undefined,
          }),
        )
        return found.results.map(({ id }) => id).toSorted()
      }
      const ids = () =>
        current()
          .map(({ id }) => id)
          .toSorted()
      expect(await foundBy('keyword')).toEqual(ids())
      for (const item of model.items.filter(({ status }) => status === 'retired')) {
        const back = await restore(ctx(), { id: item.id, ifMatch: null })
        expect([back.content.text, back.tags, back.custom_id]).toEqual([item.text, item.tags, item.customId])
        item.status = 'current'
      }
      expect(await foundBy('keyword')).toEqual(ids())
      await embedItems(system, db, ids())
      expect(await foundBy('semantic')).toEqual(ids())
      const counts = await db.first<{ retired: number }>(
        'select retired from project_words where project_id = :project',
        {
          project: tenant.projectId,
        },
      )
      expect(counts?.retired ?? 0).toBe(0)
    }),
    { numRuns: 8, endOnFailure: true },
  )
}, 120_000)
