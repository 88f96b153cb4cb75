import { expect, test, vi } from 'vitest'
import { release, releaseErased, releaseStatements } from '../../../src/auth/directory/release.ts'
import { sql } from '../../../src/core/database/sql.ts'
import { interrupted } from '../../support/interrupted.ts'
import { requestContext } from '../../support/oauth.ts'
import { withDatabases } from '../../support/shards.ts'
import { db, newTenant, system } from '../../support/world.ts'

const directory = system.database('00')
const entryOf = (userId: string) =>
  directory.first('select 1 as one from directory where user_id = :user', { user: userId })
const noted = (id: string) => db.first('select 1 as one from directory_releases where id = :id', { id })
const erased = (id: string) => sql('select :id as id', { id })
const note = (id: string) => db.batch(releaseStatements(system, db, erased(id)))
const down = () => Promise.reject(new Error('down'))

test('a commit notes what it erases, once, and the release takes it out of the directory and forgets it', async () => {
  const { userId } = await newTenant()
  await note(userId)
  await note(userId)
  expect([await noted(userId), await entryOf(userId)]).toEqual([{ one: 1 }, { one: 1 }])
  await release(requestContext(), db)
  expect([await noted(userId), await entryOf(userId)]).toEqual([null, null])
})

test('with one shard there is nothing to note, and the commit itself clears the directory', async () => {
  const alone = { ...system, shards: ['00'] }
  const id = system.newId('usr')
  await directory.batch([
    directory.statement(
      'insert into directory (email, routing_id, user_id, expires_at) values (:email, :routing_id, :id, null)',
      { email: `release-${crypto.randomUUID()}@example.com`, routing_id: `00${id}`, id },
    ),
  ])
  await directory.batch(releaseStatements(alone, directory, erased(id)))
  expect(await entryOf(id)).toBeNull()
  expect(await directory.first('select 1 from directory_releases where id = :id', { id })).toBeNull()
  expect(await release(requestContext(alone), directory)).toBe(false)
})

test('an application is forgotten only once each other shard has answered', async () => {
  const id = system.newId('app')
  await note(id)
  const broken = requestContext(withDatabases({ '01': interrupted(down, '01') }))
  await expect(release(broken, db)).rejects.toThrow('down')
  expect(await noted(id)).not.toBeNull()
  await release(requestContext(), db)
  expect(await noted(id)).toBeNull()
})

test('applications that wait for a shard hold up no user behind them, however many they are', async () => {
  const apps = Array.from({ length: 200 }, () => system.newId('app'))
  await db.write('insert into directory_releases (id, created_at) select value, 1 from json_each(:apps)', {
    apps: JSON.stringify(apps),
  })
  const { userId } = await newTenant()
  await note(userId)
  const broken = requestContext(withDatabases({ '01': interrupted(down, '01') }))
  await expect(release(broken, db)).rejects.toThrow('down')
  expect([await entryOf(userId), await noted(userId)]).toEqual([null, null])
  await release(requestContext(), db)
  expect(await noted(apps[0] ?? '')).toBeNull()
})

test('a directory that is down fails no request: the log says so, and the release stays noted', async () => {
  const { userId } = await newTenant()
  await note(userId)
  const error = vi.fn()
  const ctx = requestContext({ ...withDatabases({ '00': interrupted(down, '00') }), log: { info: () => {}, error } })
  await releaseErased(ctx, db)
  expect(error).toHaveBeenCalledWith(
    expect.objectContaining({ event: 'directory.release_deferred' }),
    expect.any(Error),
  )
  expect(await noted(userId)).not.toBeNull()
  await releaseErased(requestContext(), db)
  expect([await noted(userId), await entryOf(userId)]).toEqual([null, null])
})
