import { expect, test } from 'vitest'
import { MAX_COUNTED_PAGES, PieceCounts } from '../../../../src/backends/project-vectors/pieces/piece-counts.ts'

test('a piece counts once for each part that holds it, and no more when the part leaves', () => {
  const counts = new PieceCounts()
  counts.add(Uint16Array.of(3, 9, 3, 65_535), 2)
  counts.add(Uint16Array.of(3), 1)
  expect([counts.parts, counts.of(3), counts.of(9), counts.of(65_535), counts.of(4)]).toEqual([3, 3, 1, 1, 0])
  counts.remove(Uint16Array.of(3, 65_535), 1)
  expect([counts.parts, counts.of(3), counts.of(9), counts.of(65_535)]).toEqual([2, 2, 1, 0])
})

test('new pages count until 512 do; from then on they are the sample', () => {
  const counts = new PieceCounts()
  for (let page = 0; page < MAX_COUNTED_PAGES; page++) expect(counts.includes(2 * page)).toBe(true)
  expect(counts.includes(1)).toBe(false)
  expect(counts.includes(0)).toBe(true)
  expect(counts.includes(2 * MAX_COUNTED_PAGES)).toBe(false)
})

test('the memory of the counts goes by the largest piece', () => {
  const counts = new PieceCounts()
  expect(counts.byteLength).toBe(0)
  counts.add(Uint16Array.of(5), 1)
  expect(counts.byteLength).toBe(2 * 1_024)
  counts.add(Uint16Array.of(30_521), 1)
  expect(counts.byteLength).toBe(2 * 30_720)
})
