import { keyRingOf, type WrittenKeyRing } from '../../src/core/values/key-ring.ts'

/** The key ring of a text, which is well-formed. */
export function ringOf(text: string): WrittenKeyRing {
  const ring = keyRingOf(text)
  if (!ring) throw new Error('not a key ring')
  return ring
}
