import { expect, test } from 'vitest'
import {
  addressFault,
  addressStatements,
  confirmAddress,
  freeAddress,
  requireFreeAddress,
  reserveAddress,
  type AddressEntry,
} from '../../../src/auth/directory/addresses.ts'
import { newRoutingId } from '../../../src/auth/index.ts'
import { MINUTE, travel } from '../../support/clock.ts'
import { db, home, newTenant, system } from '../../support/world.ts'

const directory = system.database('00')
const taken = { code: 'email_taken' }

const newEntry = (shard = home, email = `address-${crypto.randomUUID()}@example.com`): AddressEntry => ({
  email,
  routingId: newRoutingId(shard, system.random),
  userId: system.newId('usr'),
  tenantId: system.newId('ten'),
})

/** What a sign-up is told whose address another one has reserved. */
const underWay = (seconds: number) => ({
  status: 409,
  code: 'conflict',
  detail: 'A sign-up with this e-mail address is in progress.',
  headers: { 'Retry-After': String(seconds) },
})

const entryOf = ({ email }: AddressEntry) =>
  directory.first<{ routing_id: string; expires_at: number | null }>(
    'select routing_id, expires_at from directory where email = :email',
    { email },
  )

test('an address with an account is taken, and one that nobody has is free', async () => {
  const { email } = await newTenant()
  await expect(requireFreeAddress(system, email)).rejects.toMatchObject(taken)
  await requireFreeAddress(system, newEntry().email)
})

test('a reservation keeps others away for a minute; then it is given up, as no account came', async () => {
  travel(0)
  const entry = newEntry()
  await reserveAddress(system, entry)
  expect(await entryOf(entry)).toEqual({ routing_id: entry.routingId, expires_at: system.now() + MINUTE })
  await expect(requireFreeAddress(system, entry.email)).rejects.toMatchObject(underWay(60))
  travel(MINUTE - 1)
  await expect(requireFreeAddress(system, entry.email)).rejects.toMatchObject(underWay(1))
  travel(1)
  await requireFreeAddress(system, entry.email)
  expect(await entryOf(entry)).toBeNull()
  const late = await db.batch(addressStatements(system, db, entry)).catch((error: unknown) => error)
  expect(await addressFault(system, entry, late)).toMatchObject({ status: 503 })
})

test('two who reserve one address at once: one has it, and the other is told', async () => {
  travel(0)
  const one = newEntry()
  const other = newEntry('01', one.email)
  const ends = await Promise.allSettled([reserveAddress(system, one), reserveAddress(system, other)])
  expect(ends.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: underWay(60) }])
})

test('in the shard of the directory nothing is reserved: the commit itself enters the address', async () => {
  const entry = newEntry('00')
  await reserveAddress(system, entry)
  expect(await entryOf(entry)).toBeNull()
  await directory.batch(addressStatements(system, directory, entry))
  expect(await entryOf(entry)).toEqual({ routing_id: entry.routingId, expires_at: null })
  const again = await directory
    .batch(addressStatements(system, directory, newEntry('00', entry.email)))
    .catch((error: unknown) => error)
  expect(await addressFault(system, entry, again)).toMatchObject(taken)
})

test('a refused sign-up frees its own reservation, and never what another has or what is confirmed', async () => {
  const entry = newEntry()
  await reserveAddress(system, entry)
  await freeAddress(system, { ...entry, routingId: newRoutingId(home, system.random) })
  expect(await entryOf(entry)).not.toBeNull()
  await freeAddress(system, entry)
  expect(await entryOf(entry)).toBeNull()
  const account = await newTenant()
  await freeAddress(system, account)
  await expect(requireFreeAddress(system, account.email)).rejects.toMatchObject(taken)
})

test('a confirmation whose account is not there gives the address up', async () => {
  const entry = newEntry()
  await reserveAddress(system, entry)
  await confirmAddress(system, entry)
  expect(await entryOf(entry)).toBeNull()
})

test('another failure is no fault of the address', async () => {
  const entry = newEntry()
  expect(await addressFault(system, entry, new Error('D1_ERROR: Network connection lost.'))).toBeNull()
  expect(await addressFault(system, entry, 'UNIQUE constraint failed: directory.email')).toBeNull()
})
