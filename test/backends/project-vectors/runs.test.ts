import { expect, test } from 'vitest'
import { partOf, runsOf } from '../../../src/backends/project-vectors/runs.ts'
import type { VectorEntry } from '../../../src/core/vectors.ts'

/** A chunk of an item, its vector and pieces in buffers that others share. */
function chunk(nth: number, more: Partial<VectorEntry> = {}): VectorEntry {
  const values = new Float32Array(100).subarray(10, 14)
  // Each chunk has other bytes and another scale.
  values[nth] = nth + 1
  const pieces = new Uint16Array(100).fill(nth).subarray(0, nth + 1)
  pieces[0] = 50
  return {
    item: 'mem_a',
    row: 7,
    version: 2,
    chunk: nth,
    offsets: { start: 10 * nth, end: 10 * nth + 12 },
    namespace: 'default',
    reader: '',
    turnWords: 12,
    values,
    pieces,
    ...more,
  }
}

test('consecutive chunks of an item become one run, with bytes for vectors and each piece of a chunk once', () => {
  const [run, ...others] = runsOf([chunk(0), chunk(1), chunk(2)])
  expect(others).toEqual([])
  expect(run).toEqual({
    item: 'mem_a',
    row: 7,
    version: 2,
    namespace: 'default',
    reader: '',
    turnWords: 12,
    chunk: 0,
    length: 3,
    numbers: Float64Array.from(
      [
        [1 / 127, 0, 12, 1],
        [2 / 127, 10, 22, 2],
        [3 / 127, 20, 32, 2],
      ].flat(),
    ),
    dimension: 4,
    vectors: Int8Array.from(
      [
        [127, 0, 0, 0],
        [0, 127, 0, 0],
        [0, 0, 127, 0],
      ].flat(),
    ),
    pieces: Uint16Array.of(50, 50, 1, 50, 2),
  })
  // They are sent and stored with all of their buffers.
  expect([run?.numbers, run?.vectors, run?.pieces].map((of) => of?.buffer.byteLength)).toEqual([96, 12, 10])
})

test.each<[string, Partial<VectorEntry>]>([
  ['another item', { item: 'mem_b' }],
  ['another row', { row: 8 }],
  ['another version', { version: 3 }],
  ['a chunk that is not the next one', { chunk: 2 }],
  ['the same chunk', { chunk: 0 }],
  ['another namespace', { namespace: 'other' }],
  ['another reader', { reader: 'usr_a' }],
  ['another number of words', { turnWords: 13 }],
  ['another dimension', { values: new Float32Array(5).fill(1) }],
  ['a chunk without pieces', { pieces: null }],
  ['a chunk with an empty list of pieces', { pieces: new Uint16Array(0) }],
])('%s begins a new run', (_, more) => {
  const runs = runsOf([chunk(0), chunk(1, more), chunk(2)])
  expect(runs.map(({ length }) => length)).toEqual([1, 1, 1])
  expect(runs[1]).toEqual(runsOf([chunk(1, more)])[0])
})

test('an item without a row has none in its run; no entries are no runs', () => {
  const { row: _, ...entry } = chunk(0)
  expect(runsOf([entry])[0]?.row).toBeNull()
  expect(runsOf([])).toEqual([])
})

test('a part of a run is the run of its entries', () => {
  const entries = [0, 1, 2, 3].map((nth) => chunk(nth))
  const [run] = runsOf(entries)
  if (!run) throw new Error('no run')
  for (const [from, to] of [
    [0, 4],
    [0, 1],
    [1, 3],
    [3, 4],
  ] as const) {
    const part = partOf(run, from, to)
    expect([part]).toEqual(runsOf(entries.slice(from, to)))
    for (const of of [part.numbers, part.vectors, part.pieces]) expect(of.buffer.byteLength).toBe(of.byteLength)
  }
})
