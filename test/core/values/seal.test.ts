import { expect, test } from 'vitest'
import { ringOf } from '../../support/key-ring.ts'
import { systemRandom } from '../../../src/core/values/ids.ts'
import { seal, unseal } from '../../../src/core/values/seal.ts'

const ring = (...ids: string[]) => ringOf(ids.map((id) => `${id}:${btoa(id.padEnd(32, '.'))}`).join(','))

test('what is sealed opens again, and only in its own place', async () => {
  const sealed = await seal(ring('a'), 'subscriptions.secret sub_1', 'whsec_é', systemRandom)
  expect(sealed).not.toContain('whsec')
  expect(await unseal(ring('a'), 'subscriptions.secret sub_1', sealed)).toBe('whsec_é')
  await expect(unseal(ring('a'), 'subscriptions.secret sub_2', sealed)).rejects.toThrow(/./)
})

test('a rotated key ring opens what the old key sealed, and seals with the new one', async () => {
  const before = await seal(ring('a'), 'p', 'x', systemRandom)
  expect(await unseal(ring('b', 'a'), 'p', before)).toBe('x')
  const after = await seal(ring('b', 'a'), 'p', 'x', systemRandom)
  expect(await unseal(ring('b'), 'p', after)).toBe('x')
  await expect(unseal(ring('b'), 'p', before)).rejects.toThrow(/no key/)
})

test('the same text is sealed differently each time, and a changed one does not open', async () => {
  const [one, two] = [await seal(ring('a'), 'p', 'x', systemRandom), await seal(ring('a'), 'p', 'x', systemRandom)]
  expect(one).not.toBe(two)
  const [id, iv, bytes = ''] = one.split('.')
  const changed = `${id}.${iv}.${bytes.startsWith('A') ? 'B' : 'A'}${bytes.slice(1)}`
  await expect(unseal(ring('a'), 'p', changed)).rejects.toThrow(/./)
})
