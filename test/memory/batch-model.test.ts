/** @module-tag long */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batch } from '../../src/memory/operations/batch.ts'
import { ctxOf } from '../support/search.ts'
import { db, newTenant } from '../support/world.ts'

/** What a batch should do, in the plainest words: one item after the other in a list. */
interface Item {
  id: string
  text: string
  tags: string[]
  namespace: string
  customId: string | null
  version: number
  earlier: string[]
}

interface Place {
  namespace: string
}

type Op =
  | { op: 'store'; content: string; tags?: string[]; context?: Place; custom_id?: string; deduplicate?: boolean }
  | { op: 'update'; at: number; content?: string; tags?: string[]; context?: Place; custom_id?: string | null }
  | { op: 'delete'; at: number }
  | { op: 'retrieve'; at: number }

function change(item: Item, { content, tags }: { content?: string; tags?: string[] }): void {
  item.version += 1
  if (content !== undefined && content !== item.text) {
    item.earlier.push(item.text)
    item.text = content
  }
  if (tags) item.tags = tags
}

const texts = fc.constantFrom('red', 'green', 'blue')
const tags = fc.constantFrom<string[]>([], ['a'], ['a', 'b'])
const context = fc.constantFrom('default', 'other').map((namespace) => ({ namespace }))
const at = fc.nat(5)
const operation: fc.Arbitrary<Op> = fc.oneof(
  fc.record(
    {
      op: fc.constant('store' as const),
      content: texts,
      tags,
      context,
      custom_id: fc.constantFrom('x', 'y'),
      deduplicate: fc.boolean(),
    },
    { requiredKeys: ['op', 'content'] },
  ),
  fc.record(
    {
      op: fc.constant('update' as const),
      at,
      content: texts,
      tags,
      context,
      custom_id: fc.constantFrom('x', 'y', null),
    },
    { requiredKeys: ['op', 'at'] },
  ),
  fc.record({ op: fc.constant('delete' as const), at }),
  fc.record({ op: fc.constant('retrieve' as const), at }),
)

test('batches of random operations do what the same operations do one by one on a list', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(operation, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
      async (batches) => {
        const tenant = await newTenant()
        const model: Item[] = []
        for (const operations of batches) {
          // An update names an item that was there before this batch, or none.
          const before = model.map((item) => item.id)
          const idOf = (index: number): string => before[index] ?? 'mem_none'
          const expected = operations.map((o): [string, number | null] => {
            if (o.op === 'store') {
              const namespace = o.context?.namespace ?? 'default'
              const there = model.filter((item) => item.namespace === namespace)
              const held = there.find((item) => o.custom_id !== undefined && item.customId === o.custom_id)
              if (held) {
                change(held, o)
                return ['success', held.version]
              }
              const equal = o.deduplicate ? there.find((item) => item.text === o.content) : undefined
              if (equal) return ['success', null]
              model.push({
                id: '',
                text: o.content,
                tags: o.tags ?? [],
                namespace,
                customId: o.custom_id ?? null,
                version: 1,
                earlier: [],
              })
              return ['success', 1]
            }
            const found = model.find((item) => item.id === idOf(o.at))
            if (!found) return ['error', null]
            if (o.op === 'update') {
              const name = o.custom_id === undefined ? found.customId : o.custom_id
              const namespace = o.context?.namespace ?? found.namespace
              const taken = (item: Item) => item !== found && item.namespace === namespace && item.customId === name
              if (name !== null && model.some(taken)) return ['error', null]
              change(found, o)
              Object.assign(found, { customId: name, namespace })
            }
            if (o.op === 'delete') model.splice(model.indexOf(found), 1)
            return ['success', o.op === 'delete' ? null : found.version]
          })
          const sent = operations.map((o) => {
            if (o.op === 'store') return o
            const { at: index, ...rest } = o
            return { ...rest, id: idOf(index) }
          })
          const { results } = await batch(ctxOf(tenant), { operations: sent })
          expect(results.map((result) => result.status)).toEqual(expected.map(([status]) => status))
          const versionOf = (index: number) => (expected[index]?.[1] === null ? null : results[index]?.item?.version)
          expect(results.map((_, index) => versionOf(index))).toEqual(expected.map(([, version]) => version))
          operations.forEach((o, index) => {
            if (o.op !== 'store' || expected[index]?.[1] !== null) return
            const context = { namespace: o.context?.namespace ?? 'default' }
            expect(results[index]?.item).toMatchObject({ deduplicated: true, content: { text: o.content }, context })
          })
          const rows = await db.all<{
            id: string
            text: string
            tags: string
            namespace: string
            custom_id: string | null
            version: number
            marks: string
            earlier: string
          }>(
            `select i.id, i.text, i.tags, i.namespace, i.custom_id, i.version,
             (select json_group_array(t.tag) from (select tag from memory_tags where item_row = i.row order by tag) t) as marks,
             (select json_group_array(v.text) from (select text from memory_versions where item_row = i.row order by version) v) as earlier
           from memory_items i where i.tenant_id = :tenant and i.deleted_at is null order by i.row`,
            { tenant: tenant.tenantId },
          )
          rows.forEach((row, index) => {
            const item = model[index]
            if (item?.id === '') item.id = row.id
          })
          expect(
            rows.map((row) => ({
              id: row.id,
              text: row.text,
              tags: JSON.parse(row.tags),
              namespace: row.namespace,
              customId: row.custom_id,
              version: row.version,
              earlier: JSON.parse(row.earlier),
            })),
          ).toEqual(model)
          expect(rows.map((row) => row.marks)).toEqual(rows.map((row) => row.tags))
        }
        const counts = await db.first<{ items: number; words: number }>(
          'select items, words from project_words where project_id = :project',
          { project: tenant.projectId },
        )
        expect(counts ?? { items: 0, words: 0 }).toEqual({ items: model.length, words: model.length })
        const events = await db.all<{ n: number }>(
          "select count(*) as n from events where tenant_id = :tenant group by data ->> 'memory_id', data ->> 'version', type having n > 1",
          { tenant: tenant.tenantId },
        )
        expect(events).toEqual([])
      },
    ),
    { numRuns: 80 },
  )
}, 60_000)
