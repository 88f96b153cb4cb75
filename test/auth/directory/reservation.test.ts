import { expect, test } from 'vitest'
import { RESERVED_MS, spend, SPENT } from '../../../src/auth/directory/reservation.ts'
import { violatedConstraint } from '../../../src/core/database/d1-errors.ts'
import { db, system } from '../../support/world.ts'

const newId = () => system.newId('app')
const spent = (id: string) => db.first('select id, created_at from spent_reservations where id = :id', { id })

test('a reservation lasts a minute, and its commit spends it at its instant', async () => {
  expect(RESERVED_MS).toBe(60_000)
  const id = newId()
  await db.batch([spend({ now: () => 5 }, db, id)])
  expect(await spent(id)).toEqual({ id, created_at: 5 })
})

test('it is spent once: a second commit violates the constraint and does nothing else either', async () => {
  const id = newId()
  const other = newId()
  await db.batch([spend(system, db, id)])
  const late = await db.batch([spend(system, db, other), spend(system, db, id)]).catch((error: unknown) => error)
  expect(violatedConstraint(late)).toBe(SPENT)
  expect(await spent(other)).toBeNull()
})

test('of two commits at once one takes place', async () => {
  const id = newId()
  const ends = await Promise.allSettled([db.batch([spend(system, db, id)]), db.batch([spend(system, db, id)])])
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
