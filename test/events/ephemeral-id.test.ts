import { expect, test } from 'vitest'
import { isId, timeOfId } from '../../src/core/ids.ts'
import { isEphemeralIdOf, newEphemeralId } from '../../src/events/ephemeral-id.ts'
import { system } from '../support/world.ts'

test('an id without history is an ordinary event id that tells its time', async () => {
  const before = system.now()
  const id = await newEphemeralId(system, 'ten_a')
  expect(isId('evt', id)).toBe(true)
  expect(timeOfId(id)).toBeGreaterThanOrEqual(before)
  expect(await newEphemeralId(system, 'ten_a')).not.toBe(id)
})

test('it proves for whom it was made, under every key of the ring', async () => {
  const [current] = system.dataKeys
  const id = await newEphemeralId(system, 'ten_a')
  const rotated = { dataKeys: [{ id: 'new', bytes: new Uint8Array(32) }, current] as const }
  expect(await isEphemeralIdOf(system, id, ['rid', 'ten_a'])).toBe(true)
  expect(await isEphemeralIdOf(rotated, id, ['ten_a'])).toBe(true)
  expect(await isEphemeralIdOf(system, id, ['ten_b'])).toBe(false)
})

test.each([
  ['an id of the history', () => system.newId('evt')],
  ['another type of id', () => system.newId('mem')],
  ['no id', () => 'hello'],
])('%s is none', async (_, make) => {
  expect(await isEphemeralIdOf(system, make(), ['ten_a'])).toBe(false)
})
