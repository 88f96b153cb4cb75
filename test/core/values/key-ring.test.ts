import { expect, test } from 'vitest'
import { toBase64Url } from '../../../src/core/values/encoding.ts'
import { keyRingOf } from '../../../src/core/values/key-ring.ts'

const key = (fill: number) => toBase64Url(new Uint8Array(32).fill(fill))

test('a key ring keeps its order, so that the first key makes and all verify', () => {
  expect(keyRingOf(`k2:${key(2)}, k1:${key(1)}`)?.map(({ id }) => id)).toEqual(['k2', 'k1'])
})

test.each(['', 'k1', 'k1:c2hvcnQ', 'K 1:AAAA', `k1:${'*'.repeat(43)}`, `k1:${key(1)},`, `k1:${key(1)},k2:AAAA`])(
  'a malformed ring %j is none',
  (ring) => {
    expect(keyRingOf(ring)).toBeNull()
  },
)
