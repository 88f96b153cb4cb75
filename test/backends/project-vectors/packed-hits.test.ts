import { expect, test } from 'vitest'
import { answered, hitsOf } from '../../../src/backends/project-vectors/packed-hits.ts'
import type { VectorHit } from '../../../src/core/vectors.ts'

const whole: VectorHit = {
  item: 'mem_a',
  row: 7,
  version: 3,
  chunk: 2,
  offsets: { start: 10, end: 310 },
  similarity: 0.7312,
  semantic: 0.613,
}
const { row: _, ...withoutRow } = whole

const hits: VectorHit[] = [
  whole,
  { ...withoutRow, item: 'a\nb' },
  { ...whole, offsets: null, semantic: null },
  { ...whole, offsets: { start: 0, end: 0 }, similarity: 0, semantic: 0, chunk: 0 },
  { ...whole, similarity: -1 },
]

test('packed hits come out as they went in, in their order, with what some of them lack', () => {
  const packed = answered(hits, { packed: true })
  expect(packed).not.toBeInstanceOf(Array)
  expect(hitsOf(packed)).toStrictEqual(hits)
  expect(hitsOf(structuredClone(packed))).toStrictEqual(hits)
  expect(hitsOf(answered([], { packed: true }))).toEqual([])
})

test('during a deployment a Worker that does not ask for packed hits gets none, and a newer one reads those of an older object', () => {
  expect(answered(hits, {})).toBe(hits)
  expect(hitsOf(structuredClone(hits))).toStrictEqual(hits)
})
