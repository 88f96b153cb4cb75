import type { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { projectVectorsClient } from '../../../src/backends/project-vectors/project-vectors.client.ts'
import { runsOf, type Run } from '../../../src/backends/project-vectors/runs.ts'
import type { VectorEntry } from '../../../src/core/vectors.ts'

/** Entries whose vectors and pieces lie in buffers that belong to others too, as an embedder may answer them. */
const shared = { values: new Float32Array(1_000).fill(1), pieces: new Uint16Array(1_000).fill(2) }
const entries = [0, 1].map((nth): VectorEntry => {
  const values = shared.values.fill(nth, nth * 4, nth * 4 + 4).subarray(nth * 4, nth * 4 + 4)
  const pieces = nth === 0 ? shared.pieces.subarray(0, 3) : null
  return { item: `mem_${nth}`, version: 1, chunk: 0, offsets: { start: 0, end: 9 }, namespace: 'a', values, pieces }
})

/** What the object of a project gets. */
function recording() {
  const got: Record<string, unknown> = {}
  const keep = (name: string) => (items: unknown, more: unknown) => {
    got[name] = more ?? items
    return Promise.resolve([])
  }
  const object = { put: keep('put'), remove: keep('remove'), names: keep('names') }
  const namespace = { getByName: () => object } as unknown as typeof env.PROJECT_VECTORS
  return { got, client: projectVectorsClient(namespace, 0)('prj_1', '00') }
}

test('an object gets the vectors and pieces of its entries, and no others of their buffers', async () => {
  const { got, client } = recording()
  await client.put('test/model', entries)
  const put = got['put'] as Run[]
  expect(put).toEqual(runsOf(entries))
  expect(put.map(({ vectors }) => vectors.buffer.byteLength)).toEqual([4, 4])
  expect(put.map(({ pieces }) => pieces.buffer.byteLength)).toEqual([2, 0])
})

test('what is removed or named is told without its vectors', async () => {
  const { got, client } = recording()
  await client.remove([...entries, { item: 'mem_2' }])
  await client.names(entries)
  const named = [
    { item: 'mem_0', version: 1 },
    { item: 'mem_1', version: 1 },
  ]
  expect(got).toEqual({ remove: [...named, { item: 'mem_2' }], names: named })
})
