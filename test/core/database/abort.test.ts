import { expect, test } from 'vitest'
import { abortUnless, isAborted } from '../../../src/core/database/abort.ts'
import { sql } from '../../../src/core/database/sql.ts'
import { db, newTenant } from '../../support/world.ts'

test('a batch is undone as a whole where a condition does not hold, and its error is told from every other', async () => {
  const { projectId } = await newTenant()
  const rename = db.statement(`update projects set name = 'renamed' where id = :project`, { project: projectId })
  const nameOf = async () =>
    (await db.first<{ name: string }>('select name from projects where id = :project', { project: projectId }))?.name
  const holds = (name: string) =>
    abortUnless(db, sql('exists (select 1 from projects where id = :id and name = :name)', { id: projectId, name }))
  const failure = await db.batch([rename, holds('another')]).catch((error: unknown) => error)
  expect(isAborted(failure)).toBe(true)
  expect(await nameOf()).toBe('Default')
  const other = await db.batch([rename, db.statement('select * from nowhere')]).catch((error: unknown) => error)
  expect([other instanceof Error, isAborted(other)]).toEqual([true, false])
  await db.batch([rename, holds('renamed')])
  expect(await nameOf()).toBe('renamed')
})
