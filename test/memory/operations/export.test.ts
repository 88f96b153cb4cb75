/** @module-tag long */
import { expect, test } from 'vitest'
import { batch } from '../../../src/memory/operations/batch.ts'
import { exportItems, ExportInput } from '../../../src/memory/operations/export.ts'
import type { list } from '../../../src/memory/operations/list.ts'
import { newWriter, type Writer } from '../../support/memory.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { call, db, newTenant } from '../../support/world.ts'

const lines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): any => JSON.parse(line))

const exported = (user: Writer, query = '') => user.send('GET', `/v1/memory/export${query}`)

test('export streams one item a line, oldest first, of one project and namespace', async () => {
  const user = await newWriter()
  const imported = await call('POST', '/v1/memory/import', {
    headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' },
    raw: Array.from({ length: 150 }, (_, n) => JSON.stringify({ content: `text ${n}` })).join('\n'),
  })
  expect(imported.body.created).toBe(150)
  await user.store({ content: 'elsewhere', context: { namespace: 'other' } })
  const answer = await exported(user)
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
  const items = lines(answer.text)
  expect(items).toHaveLength(150)
  expect(new Set(items.map((item) => item.id)).size).toBe(150)
  expect(items.every((item, n) => n === 0 || items[n - 1].created_at <= item.created_at)).toBe(true)
  expect(lines((await exported(user, '?namespace=*')).text)).toHaveLength(151)
  const filters = encodeURIComponent(JSON.stringify({ created_at: { '<': '2000-01-01T00:00:00Z' } }))
  expect(lines((await exported(user, `?filters=${filters}`)).text)).toEqual([])
})

test('a hidden project is a 404, an unknown parameter a 422', async () => {
  const [user, stranger] = [await newWriter(), await newTenant()]
  expect((await exported(user, `?project_id=${stranger.projectId}`)).status).toBe(404)
  expect((await exported(user, '?nonsense=1')).status).toBe(422)
  expect((await call('GET', '/v1/memory/export')).status).toBe(401)
})

test('another project can import an export', async () => {
  const [from, to] = [await newWriter(), await newWriter()]
  await from.store({
    content: { text: 'Ünï', type: 'text/markdown', metadata: { a: [1] } },
    context: { namespace: 'n', scope: 'document', document_id: 'd' },
    tags: ['t'],
    custom_id: 'c',
    ttl: 500,
  })
  await from.store({ content: 'mine', visibility: 'private' })
  const { text } = await exported(from, '?namespace=*')
  const report = await call('POST', '/v1/memory/import', {
    headers: { ...to.headers, 'Content-Type': 'application/x-ndjson' },
    raw: text,
  })
  expect(report.body).toMatchObject({ created: 2, updated: 0, failed: 0 })
  const again = lines((await exported(to, '?namespace=*')).text)
  const essence = ({ content, context, tags, custom_id, ttl, visibility }: any) => {
    const { project_id: _, ...labels } = context
    return { content, labels, tags, custom_id, ttl, visibility }
  }
  const sorted = (items: any[]) => items.map(essence).sort((a, b) => (a.content.text < b.content.text ? -1 : 1))
  expect(sorted(again)).toEqual(sorted(lines(text)))
})

test('a failure in the middle breaks the stream off, so that it never looks like a whole export', async () => {
  const user = await newTenant()
  for (let at = 0; at < 3; at++)
    await batch(ctxOf(user), {
      operations: Array.from({ length: 50 }, (_, n) => ({ op: 'store', content: `${at} ${n}` })),
    })
  const stream: ReadableStream<Uint8Array> = await exportItems(ctxOf(user), ExportInput.parse({}))
  await db.write('update projects set deleted_at = 1 where id = :project', { project: user.projectId })
  await expect(new Response(stream).text()).rejects.toThrow('no longer accessible')
})

test('a page without items, as filters may leave one, ends nothing: the export goes on with the next', async () => {
  const ctx = ctxOf(await newTenant())
  const items = [await stored(ctx, 'one'), await stored(ctx, 'two')]
  /** Pages by cursor; the first one is empty, and so are two in the middle and the last. */
  const pages = [[], [items[0]], [], [], [items[1]], []].map((page) => page.filter((item) => item !== undefined))
  const asked: (string | undefined)[] = []
  const read: typeof list = async (_, { cursor }) => {
    asked.push(cursor)
    const at = Number(cursor ?? 0)
    const more = at + 1 < pages.length
    return { data: pages[at] ?? [], has_more: more, next_cursor: more ? String(at + 1) : null }
  }
  const stream = await exportItems(ctx, ExportInput.parse({}), read)
  expect(lines(await new Response(stream).text()).map((item) => item.id)).toEqual(items.map(({ id }) => id))
  expect(asked).toEqual([undefined, '1', '2', '3', '4', '5'])
})

test('an export that finds nothing at all is an empty answer', async () => {
  const nothing: typeof list = async () => ({ data: [], has_more: false, next_cursor: null })
  const stream = await exportItems(ctxOf(await newTenant()), ExportInput.parse({}), nothing)
  expect(await new Response(stream).text()).toBe('')
})

test('each exported page leaves an audit row with its ids', async () => {
  const user = await newWriter()
  const operations = (from: number) => Array.from({ length: 50 }, (_, n) => ({ op: 'store', content: `${from + n}` }))
  for (const from of [0, 50, 100]) await batch(ctxOf(user), { operations: operations(from) })
  const ids = lines((await exported(user)).text).map((item) => item.id)
  await until(
    async () => {
      const { body } = await user.send('GET', '/v1/audit?action=memory.export')
      const pages: string[][] = body.data.map((row: any) => row.resource_ids)
      expect(pages.map((page) => page.length).sort((a, b) => a - b)).toEqual([50, 100])
      expect(new Set(pages.flat())).toEqual(new Set(ids))
    },
    { everyMs: 500 },
  )
})

test('an export reads 1 MiB of texts and metadata at once, and has all items', async () => {
  const ctx = ctxOf(await newTenant())
  for (let n = 0; n < 17; n += 1) await stored(ctx, 'é'.repeat(65_536))
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const stream: ReadableStream<Uint8Array> = await exportItems({ ...ctx, db: db.metered(meter) }, ExportInput.parse({}))
  expect(lines(await new Response(stream).text())).toHaveLength(17)
  // Pages of 8, 8 and 1.
  expect(meter.roundTrips).toBe(3)
})
