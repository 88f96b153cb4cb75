import { expect, test } from 'vitest'
import { VectorCopies } from '../../../src/backends/project-vectors/vector-copies.ts'
import { VectorCopy, type SentPage } from '../../../src/backends/project-vectors/vector-copy.ts'

const MODEL = 'test/model'
const DIMENSION = 4
const MINUTE = 60_000

const page = (): SentPage => ({
  dimension: DIMENSION,
  used: 1,
  vectors: new Int8Array(64 * DIMENSION),
  scales: new Float32Array(64),
  slots: Array.from({ length: 64 }, () => null),
  pieces: new Uint16Array(),
  lengths: Array.from({ length: 64 }, () => 0),
})
const newCopy = (): VectorCopy => new VectorCopy(MODEL, [page()])

/** Copies of so many projects of a page each, of which the memory holds `room`. */
function arrange({ room = 2, projects = ['prj_a'] } = {}) {
  const copies = new VectorCopies()
  const begin = (projectId: string, now: number) => copies.beginRead(projectId, room * newCopy().bytes, now)
  const all = projects.map((projectId, at) => {
    const copy = newCopy()
    expect(begin(projectId, at)).toBe(true)
    copies.hold(projectId, 7, copy, room * copy.bytes, at)
    return copy
  })
  return { copies, begin, all, first: all[0] }
}

test('a copy answers for the revision and the model that it was read for', () => {
  const { copies, first } = arrange()
  expect(copies.get('prj_a', 7, MODEL, 1)).toBe(first)
  expect(copies.get('prj_b', 7, MODEL, 1)).toBeNull()
  expect(copies.get('prj_a', 7, MODEL, 1)).toBe(first)
})

test.each([
  ['revision', 8, MODEL],
  ['model', 7, 'other/model'],
])('a copy ends where another %s is asked for', (_, revision, model) => {
  const { copies } = arrange()
  expect(copies.get('prj_a', revision, model, 1)).toBeNull()
  expect(copies.get('prj_a', 7, MODEL, 1)).toBeNull()
})

test('a copy ends after ten minutes, also where searches use it', () => {
  const { copies, first } = arrange()
  expect(copies.get('prj_a', 7, MODEL, 10 * MINUTE - 1)).toBe(first)
  expect(copies.get('prj_a', 7, MODEL, 10 * MINUTE)).toBeNull()
})

test('a project is read at most once a minute', () => {
  const { copies, begin } = arrange()
  expect(copies.get('prj_a', 8, MODEL, 1)).toBeNull()
  expect(begin('prj_a', MINUTE - 1)).toBe(false)
  expect(begin('prj_a', MINUTE)).toBe(true)
  expect(begin('prj_a', MINUTE)).toBe(false)
})

test('where the memory is full no other project is read, until a copy was of no use for a minute', () => {
  const { copies, begin, all } = arrange({ projects: ['prj_a', 'prj_b'] })
  expect(copies.get('prj_a', 7, MODEL, 30_000)).toBe(all[0])
  expect(begin('prj_c', MINUTE)).toBe(false)
  expect(begin('prj_c', MINUTE + 1)).toBe(true)
  expect(copies.get('prj_b', 7, MODEL, MINUTE + 1)).toBeNull()
  expect(copies.get('prj_a', 7, MODEL, MINUTE + 1)).toBe(all[0])
})

test('a copy in place of another of its project takes no more memory', () => {
  const { copies, begin } = arrange()
  for (let nth = 1; nth <= 5; nth += 1) {
    expect(begin('prj_a', nth * MINUTE)).toBe(true)
    copies.hold('prj_a', 7 + nth, newCopy(), 2 * newCopy().bytes, nth * MINUTE)
  }
  expect(begin('prj_b', 5 * MINUTE)).toBe(true)
})

test('reads that overlap fill no more memory than there is', () => {
  const { copies, begin } = arrange({ projects: [] })
  const projects = ['prj_a', 'prj_b', 'prj_c']
  expect(projects.map((projectId) => begin(projectId, 0))).toEqual([true, true, true])
  for (const projectId of projects) copies.hold(projectId, 7, newCopy(), 2 * newCopy().bytes, 0)
  expect(projects.map((projectId) => copies.get(projectId, 7, MODEL, 0) !== null)).toEqual([true, true, false])
})

test('a project that was too large is not read again for an hour', () => {
  const { copies, begin } = arrange({ projects: [] })
  expect(begin('prj_a', 0)).toBe(true)
  copies.tooLarge('prj_a', 0)
  expect(begin('prj_a', 60 * MINUTE - 1)).toBe(false)
  expect(begin('prj_a', 60 * MINUTE)).toBe(true)
})

test('a copy that nobody uses any more leaves the memory when others are read, once it is too old', () => {
  const { copies, begin } = arrange({ room: 10, projects: ['prj_a'] })
  expect(begin('prj_b', 10 * MINUTE)).toBe(true)
  expect(copies.get('prj_a', 7, MODEL, 1)).toBeNull()
})

test('a copy without vectors takes memory too', () => {
  expect(new VectorCopy(MODEL, []).bytes).toBeGreaterThan(0)
})

test('of very many projects only the last ones are remembered', () => {
  const copies = new VectorCopies()
  for (let nth = 0; nth <= 10_000; nth += 1) expect(copies.beginRead(`prj_${nth}`, 1, 0)).toBe(true)
  expect([copies.beginRead('prj_0', 1, 1), copies.beginRead('prj_10000', 1, 1)]).toEqual([true, false])
})
