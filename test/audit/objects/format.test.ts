import { expect, test } from 'vitest'
import { CorruptObject, MAX_OBJECT_CHARACTERS, pack, unpack, type PageText } from '../../../src/audit/objects/format.ts'
import { cutPortion } from '../../../src/audit/objects/move-pages.ts'
import { toHex } from '../../../src/core/values/encoding.ts'

const NOON = Date.UTC(2026, 10, 23, 12)
const HOUR = 3_600_000
const page = (id: string, at: number, rows: object[] = [{ tenant_id: 'ten_a', at: 'x' }]): PageText => ({
  id,
  first_at: at - 5,
  last_at: at,
  rows: JSON.stringify(rows),
  count: rows.length,
})

test('the same pages make the same key and the same bytes in whatever order they come', async () => {
  const pages = [page('aud_1:ten_a', NOON), page('aud_2:ten_a', NOON), page('aud_0:ten_a', NOON + 1)]
  const one = await pack('01', 'ten_a', pages)
  expect(await pack('01', 'ten_a', pages.toReversed())).toEqual(one)
  expect(one.index.key).toMatch(/^01\/ten_a\/2026-11-23T12\/aud_1-aud_0-[0-9a-f]{64}\.jsonl\.gz$/)
  expect(one.index).toMatchObject({
    tenant_id: 'ten_a',
    first_at: NOON - 5,
    oldest_at: NOON,
    oldest_id: 'aud_1:ten_a',
    newest_at: NOON + 1,
    newest_id: 'aud_0:ten_a',
    pages: 3,
    rows: 3,
    bytes: one.body.byteLength,
  })
  const other = await pack('01', 'ten_a', pages.with(0, page('aud_1:ten_a', NOON, [{ tenant_id: 'ten_a', at: 'y' }])))
  expect(other.index.key).not.toBe(one.index.key)
})

test('what is unpacked is what was packed, newest first, with every sign that JSON can hold', async () => {
  const rows = [{ tenant_id: 'ten_a', resource_ids: ['\u0000\n"\\', 'é🙂\u2028', '</x>'] }]
  const { index, body } = await pack('00', 'ten_a', [page('aud_1:ten_a', NOON, rows), page('aud_2:ten_a', NOON, rows)])
  expect([...(await unpack(index.key, 'ten_a', body))]).toEqual([
    { id: 'aud_2:ten_a', first_at: NOON - 5, last_at: NOON, rows },
    { id: 'aud_1:ten_a', first_at: NOON - 5, last_at: NOON, rows },
  ])
})

test.each([
  ['one page', [NOON], 0],
  ['an hour', [NOON, NOON + HOUR - 1], HOUR],
  ['two hours', [NOON, NOON + HOUR], 24 * HOUR],
])('pages of %s say how far they may lie apart', async (_, instants, span) => {
  const { index } = await pack(
    '00',
    'ten_a',
    instants.map((at, nth) => page(`aud_${nth}:ten_a`, at)),
  )
  expect(index.span_ms).toBe(span)
})

test('security 110: bytes that are not those of the key, too many, or about another tenant are refused', async () => {
  const { index, body } = await pack('00', 'ten_a', [page('aud_1:ten_a', NOON)])
  const other = await pack('00', 'ten_a', [page('aud_2:ten_a', NOON)])
  const foreign = await pack('00', 'ten_a', [page('aud_1:ten_a', NOON, [{ tenant_id: 'ten_b' }])])
  const flipped = body.slice()
  flipped[20] = (flipped[20] ?? 0) ^ 1
  for (const bytes of [other.body, flipped, body.slice(0, -3), new Uint8Array(0), new Uint8Array(100)])
    await expect(unpack(index.key, 'ten_a', bytes)).rejects.toThrow(CorruptObject)
  await expect(unpack(foreign.index.key, 'ten_a', foreign.body).then((pages) => [...pages])).rejects.toThrow(
    CorruptObject,
  )
  const bomb = new Uint8Array(9 * 1024 * 1024)
  const packed = new Uint8Array(
    await new Response(new Blob([bomb]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
  )
  const hash = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bomb)))
  await expect(unpack(`x-${hash}.jsonl.gz`, 'ten_a', packed)).rejects.toThrow(CorruptObject)
})

test('an object has whole hours of one day, up to 256 KB together, and 2 MiB at most', () => {
  const sized = (at: number, characters: number, nth = 0) => ({
    ...page(`aud_${nth}`, at),
    rows: 'x'.repeat(characters),
  })
  const cut = (...pages: PageText[]) => cutPortion(pages).length
  const small = 1_000
  expect(cut()).toBe(0)
  expect(cut(sized(NOON, small), sized(NOON + HOUR, small), sized(NOON + 11 * HOUR, small))).toBe(3)
  expect(cut(sized(NOON, small), sized(NOON + 12 * HOUR, small))).toBe(1)
  const half = 150 * 1024
  expect(cut(sized(NOON, half), sized(NOON, half), sized(NOON + 1, small), sized(NOON + HOUR, small))).toBe(3)
  expect(cut(sized(NOON, MAX_OBJECT_CHARACTERS - 1), sized(NOON, 1), sized(NOON, 1))).toBe(2)
  expect(cut(sized(NOON, MAX_OBJECT_CHARACTERS + 9), sized(NOON, 1))).toBe(1)
})
