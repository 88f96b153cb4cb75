import { expect, test } from 'vitest'
import { isAborted } from '../../../src/core/database/abort.ts'
import { abortUnlessAllWritten } from '../../../src/memory/write/all-or-nothing.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { db, newTenant } from '../../support/world.ts'

const STAMP = 'update memory_items set write_id = :write_id where id = :id'

test('a batch is undone unless all its items bear the stamp, and its error is told from every other', async () => {
  const ctx = ctxOf(await newTenant())
  const [a, b] = [await stored(ctx, 'a'), await stored(ctx, 'b')]
  const stampOf = async (id: string) =>
    (await db.first<{ write_id: string }>('select write_id from memory_items where id = :id', { id }))?.write_id
  const before = await stampOf(a.id)
  const one = db.batch([
    db.statement(STAMP, { id: a.id, write_id: 'req_x' }),
    abortUnlessAllWritten(db, [a.id, b.id], 'req_x'),
  ])
  expect(isAborted(await one.catch((error: unknown) => error))).toBe(true)
  expect(await stampOf(a.id)).toBe(before)
  await db.batch([
    db.statement(STAMP, { id: a.id, write_id: 'req_x' }),
    db.statement(STAMP, { id: b.id, write_id: 'req_x' }),
    abortUnlessAllWritten(db, [a.id, b.id], 'req_x'),
  ])
  expect([await stampOf(a.id), await stampOf(b.id)]).toEqual(['req_x', 'req_x'])
  const other = db.batch([db.statement('insert into memory_tags (item_row) values (1)')])
  expect(isAborted(await other.catch((error: unknown) => error))).toBe(false)
})
