import { MAX_TEXT_CHARACTERS } from '../../src/memory/item.ts'
import type { LoadRequest } from './load.ts'
import type { Texts } from './texts.ts'
import { largestItem, seedItem, WORST_DELETION } from './worst-requests.ts'
import { get, post, type Compare, type Users, type WorstTable } from './worst-table.ts'

const BATCH = 50
/** Items that one bulk delete deletes at most (contract §3). */
const MAX_DELETED = 1_000

/** Requests that write, delete or read many items, by operation, line or item. */
export async function compareWrites(
  compare: Compare,
  send: WorstTable['send'],
  users: Users,
  { texts, items }: { texts: Texts; items: number },
): Promise<void> {
  const operations = (text: () => string) => Array.from({ length: BATCH }, (_, at) => seedItem(at, text()))
  const batch = (text: () => string, atomic: boolean) => () =>
    post('/api/memory/batch', { operations: operations(text), atomic })
  for (const [name, atomic, characters] of [
    ['batch, per operation', false, MAX_TEXT_CHARACTERS],
    ['atomic batch, per operation', true, Math.floor(MAX_TEXT_CHARACTERS / BATCH)],
  ] as const) {
    await compare(
      name,
      batch(() => texts.text(40), atomic),
      batch(() => texts.distinctWords(characters), atomic),
      BATCH,
    )
  }
  const updated = async (text: () => string, change: (nth: number) => Record<string, unknown>, atomic: boolean) => {
    const report = await send(post('/api/memory/batch', { operations: operations(text) }), users.caller)
    const { results } = JSON.parse(report.text) as { results: { id: string }[] }
    let nth = 0
    return () => {
      nth += 1
      const updates = results.map(({ id }) => ({ op: 'update', id, ...change(nth) }))
      return post('/api/memory/batch', { operations: updates, atomic })
    }
  }
  const tagged = (nth: number) => ({ tags: [`t${nth}`] })
  const dated = (nth: number) => ({ occurred_at: new Date(nth * 86_400_000).toISOString() })
  for (const [name, change, atomic] of [
    ['batch of updates, per operation', tagged, false],
    ['atomic batch of updates, per operation', tagged, true],
    ['batch of dates, per operation', dated, false],
  ] as const) {
    await compare(
      name,
      await updated(() => texts.text(40), change, atomic),
      await updated(() => texts.distinctWords(MAX_TEXT_CHARACTERS), change, atomic),
      BATCH,
    )
  }
  await compare(
    'store, per item',
    () => post('/api/memory/store', { content: texts.text(40) }),
    () => post('/api/memory/store', largestItem(texts.distinctWords(MAX_TEXT_CHARACTERS))),
  )
  await compare(
    'store of ideographs, per item',
    () => post('/api/memory/store', { content: texts.text(40) }),
    () => post('/api/memory/store', { content: texts.ideographs(MAX_TEXT_CHARACTERS) }),
  )
  await compare(
    'batch of ideographs, per operation',
    batch(() => texts.text(40), false),
    batch(() => texts.commonIdeographs(Math.floor(MAX_TEXT_CHARACTERS / BATCH)), false),
    BATCH,
  )
  const stored = async (item: Record<string, unknown>): Promise<string> =>
    (JSON.parse((await send(post('/api/memory/store', item), users.caller)).text) as { id: string }).id
  const [small, largest] = [await stored({ content: texts.text(40) }), await stored(largestItem(texts.text(12_000)))]
  await compare(
    'retrieve',
    () => get(`/api/memory/retrieve?id=${small}`),
    () => get(`/api/memory/retrieve?id=${largest}`),
  )
  const lines = (text: () => string) => (): LoadRequest => ({
    method: 'POST',
    path: '/v1/memory/import',
    body: Array.from({ length: 2 * BATCH }, (_, at) => {
      const { op: _op, ...item } = seedItem(at, text())
      return JSON.stringify(item)
    }).join('\n'),
  })
  await compare(
    'import, per line',
    lines(() => texts.text(40)),
    lines(() => texts.distinctWords(MAX_TEXT_CHARACTERS)),
    2 * BATCH,
  )
  /** Deletes this many items that were stored for it, by a filter that finds them among all others. */
  const deletion = (text: () => string, filters: unknown) => async (): Promise<LoadRequest> => {
    for (let at = 0; at < MAX_DELETED; at += BATCH) {
      const gone = operations(text).map((operation) => ({ ...operation, tags: ['gone'] }))
      await send(post('/api/memory/batch', { operations: gone }), users.caller)
    }
    return post('/v1/memory/delete', { filters })
  }
  await compare(
    'bulk delete, per item',
    deletion(() => texts.text(40), { tags: ['gone'] }),
    deletion(() => texts.distinctWords(MAX_TEXT_CHARACTERS / 10), WORST_DELETION),
    MAX_DELETED,
  )
  await compare(
    'export, per item',
    () => get('/v1/memory/export?namespace=default'),
    () => get('/v1/memory/export?namespace=*'),
    items,
  )
}
