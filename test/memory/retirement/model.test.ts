/** @module-tag long */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAppError } from '../../../src/core/errors.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { erase } from '../../../src/memory/erasures/request.ts'
import { StoreInput } from '../../../src/memory/item.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { importItems } from '../../../src/memory/operations/import.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { retrieve } from '../../../src/memory/operations/retrieve.ts'
import { search } from '../../../src/memory/operations/search.ts'
import { store } from '../../../src/memory/operations/store.ts'
import { eraseTombstones, REPEAT_AFTER_MS } from '../../../src/memory/purge/erase.ts'
import { expirySweep } from '../../../src/memory/purge/expire.ts'
import { restore } from '../../../src/memory/retirement/restore.ts'
import { retire } from '../../../src/memory/retirement/retire.ts'
import { unloadRetired } from '../../../src/memory/retirement/unload.ts'
import { SearchInput } from '../../../src/memory/search/search-schema.ts'
import { travel } from '../../support/clock.ts'
import { runToItsEnd } from '../../support/erasures.ts'
import { ctxOf, losingQueues } from '../../support/search.ts'
import { db, newTenant, system, type Tenant } from '../../support/world.ts'
import {
  ERASED,
  metadataOf,
  Model,
  operations,
  subjectOf,
  type ChangeOp,
  type ImportOp,
  type ModelItem,
  type Op,
  type StoreOp,
  type Work,
} from './model.ts'

const codeOf = (error: unknown): string => {
  if (isAppError(error)) return error.code
  throw error
}

const expectOutcome = (outcome: string, wanted: string): void => expect(outcome).toBe(wanted)

/** A tenant, and the model of what it should hold. */
class Pair {
  readonly model = new Model()
  readonly tenant: Tenant

  constructor(tenant: Tenant) {
    this.tenant = tenant
  }

  ctx = () => ctxOf(this.tenant, { queues: losingQueues })

  /** Does an operation in both, and the work of the service beside it. */
  async run(op: Op): Promise<void> {
    // An import waits for permits, which come with time.
    travel(1_000)
    this.model.expire(system.now())
    await Promise.all([this.#operation(op), ...op.beside.map((work) => this.#work(work))])
  }

  async #operation(op: Op): Promise<void> {
    if (op.op === 'pass') travel(REPEAT_AFTER_MS)
    else if (op.op === 'erase') await this.#erase()
    else if (op.op === 'store') await this.#store(op)
    else if (op.op === 'import') await this.#import(op)
    else if ('at' in op) await this.#change(op)
  }

  async #work(work: Work): Promise<void> {
    if (work === 'expire') await expirySweep.run(system)
    else if (work === 'embed') await this.embed()
    else await Promise.all([eraseTombstones(system, db), unloadRetired(system, db)])
  }

  embed = () =>
    embedItems(
      system,
      db,
      this.model.items.flatMap(({ id }) => (id === '' ? [] : [id])),
    )

  async #store(op: StoreOp): Promise<void> {
    const ids = this.model.idsAt(op.supersedes)
    const wanted = this.model.store(op, system.now())
    const subject = subjectOf(op.customId)
    const input = StoreInput.parse({
      content: { text: op.text, metadata: metadataOf(op.text) },
      tags: op.tags,
      custom_id: op.customId,
      ttl: op.ttl,
      ...(subject === null ? {} : { context: { subject } }),
      ...(ids.length > 0 ? { supersedes: ids } : {}),
    })
    const done = await store(this.ctx(), input).then(({ item }) => item, codeOf)
    expectOutcome(typeof done === 'string' ? done : done.status, wanted)
    if (typeof done !== 'string') this.model.name(done.id)
  }

  async #import(op: ImportOp): Promise<void> {
    this.model.import(op, system.now())
    const subject = subjectOf(op.customId)
    const line = {
      content: { text: op.text, metadata: metadataOf(op.text) },
      custom_id: op.customId,
      tags: [],
      ...(subject === null ? {} : { context: { subject } }),
      ...(op.retired ? { retired_at: '2026-01-01T00:00:00Z' } : {}),
    }
    const { results } = await importItems(this.ctx(), { body: JSON.stringify(line), projectId: undefined })
    this.model.name(results[0]?.id ?? 'refused')
  }

  async #change(op: ChangeOp): Promise<void> {
    const target = { id: this.model.idsAt([op.at])[0] ?? '', ifMatch: null }
    const wanted = this.model.change(op)
    const run = {
      retire: () => retire(this.ctx(), { ...target, reason: 'r' }),
      restore: () => restore(this.ctx(), target),
      delete: () => deleteItem(this.ctx(), target),
    }
    expectOutcome(await run[op.op]().then(() => 'done', codeOf), wanted)
  }

  async #erase(): Promise<void> {
    const erasure = await erase(this.ctx(), { subject: ERASED, dry_run: false })
    if ('dry_run' in erasure) throw new Error('it only counted')
    await runToItsEnd(erasure.id)
    this.model.erase()
    this.model.expire(system.now())
  }
}

const sorted = (texts: readonly string[]): string[] => texts.toSorted()
const shown = (item: ModelItem): string => JSON.stringify([item.id, item.text, item.tags, item.metadata, item.customId])

/** The tenant has the items of the model and no others, and its current ones alone are found. */
async function expectEqual({ ctx, model }: Pair): Promise<void> {
  model.expire(system.now())
  for (const status of ['current', 'retired'] as const) {
    const { data } = await list(ctx(), ListInput.parse({ status, limit: 100 }))
    const listed = data.map((item) =>
      JSON.stringify([item.id, item.content.text, item.tags, item.content.metadata, item.custom_id]),
    )
    expect(sorted(listed)).toEqual(sorted(model.withStatus(status).map(shown)))
  }
  for (const item of model.withStatus('retired')) {
    const successor = item.successor !== null && !model.find(item.successor) ? 'gone' : item.successor
    expect((await retrieve(ctx(), { id: item.id })).superseded_by).toBe(successor)
  }
}

async function expectFound({ ctx, model }: Pair, mode: 'keyword' | 'semantic'): Promise<void> {
  const threshold = mode === 'semantic' ? { similarity_threshold: 0 } : {}
  const input = SearchInput.parse({ query: 'red green blue', mode, limit: 100, ...threshold })
  const { results } = await search(ctx(), input)
  expect(sorted(results.map(({ id }) => id))).toEqual(sorted(model.withStatus('current').map(({ id }) => id)))
}

test('after any sequence the current items are those of a plain model, search finds them, and a restore loses nothing', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (sequence) => {
      travel(0)
      const pair = new Pair(await newTenant())
      for (const op of sequence) await pair.run(op)
      await expectEqual(pair)
      await expectFound(pair, 'keyword')
      await pair.embed()
      await expectFound(pair, 'semantic')
      for (const item of pair.model.withStatus('retired')) {
        await restore(pair.ctx(), { id: item.id, ifMatch: null })
        Object.assign(item, { status: 'current', successor: null })
      }
      await expectEqual(pair)
      await expectFound(pair, 'keyword')
      await pair.embed()
      await expectFound(pair, 'semantic')
      const { projectId: project } = pair.tenant
      // Whose time is over is gone for every reader, and still counts until the sweep makes it a tombstone.
      const left = await db.all<{ expires_at: number }>(
        'select expires_at from memory_items where project_id = :project and retired_at is not null',
        { project },
      )
      expect(left.filter(({ expires_at }) => expires_at > system.now())).toEqual([])
      const counted = 'select retired from project_words where project_id = :project'
      expect((await db.first<{ retired: number }>(counted, { project }))?.retired ?? 0).toBe(left.length)
    }),
    { numRuns: 12, endOnFailure: true },
  )
}, 120_000)
