import { expect, test } from 'vitest'
import { isId, timeOfId } from '../../src/core/values/ids.ts'
import { newEphemeralId, readEphemeralId } from '../../src/hub/ephemeral-id.ts'
import { system } from '../support/world.ts'

test('an id without history is an ordinary event id that tells its time', async () => {
  const before = system.now()
  const id = await newEphemeralId(system, 'ten_a')
  expect(isId('evt', id)).toBe(true)
  expect(timeOfId(id)).toBeGreaterThanOrEqual(before)
  expect(await newEphemeralId(system, 'ten_a')).not.toBe(id)
})

test('an id proves for whom it was made, under every key of the ring', async () => {
  const [current] = system.dataKeys
  const id = await newEphemeralId(system, 'ten_a')
  const rotated = { dataKeys: [{ id: 'new', bytes: new Uint8Array(32) }, current] as const }
  const receivedUntil = Math.floor(timeOfId(id) / 100) * 100
  expect(await readEphemeralId(system, id, ['rid', 'ten_a'])).toBe(receivedUntil)
  expect(await readEphemeralId(rotated, id, ['ten_a'])).toBe(receivedUntil)
  expect(await readEphemeralId(system, id, ['ten_b'])).toBeNull()
})

test.each([0, 100, 90_000, 30 * 24 * 3_600_000])(
  'an id tells that all was received until %i ms before it',
  async (agoMs) => {
    const receivedUntil = Math.floor(system.now() / 100) * 100 - agoMs
    const id = await newEphemeralId(system, 'ten_a', receivedUntil)
    expect(timeOfId(id)).toBeGreaterThanOrEqual(receivedUntil + agoMs)
    expect(await readEphemeralId(system, id, ['ten_a'])).toBe(receivedUntil)
    const further = `${id.slice(0, 22)}${id[22] === '0' ? '1' : '0'}${id.slice(23)}`
    expect(await readEphemeralId(system, further, ['ten_a'])).toBeNull()
  },
)

test.each([
  ['an id of the history', () => system.newId('evt')],
  ['another type of id', () => system.newId('mem')],
  ['no id', () => 'hello'],
])('%s is not an ephemeral id', async (_, make) => {
  expect(await readEphemeralId(system, make(), ['ten_a'])).toBeNull()
})
