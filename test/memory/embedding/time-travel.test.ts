import { expect, test } from 'vitest'
import runbook from '../../../docs/restore.md?raw'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { travel } from '../../support/clock.ts'
import { newWriter } from '../../support/memory.ts'
import { db } from '../../support/world.ts'

/** The statements that the runbook gives for a database after Time Travel, for one project. */
const repair = (runbook.split('## In place')[1]?.match(/```sql\n([^`]+)```/)?.[1] ?? '')
  .split(';\n')
  .filter((statement) => statement.trim() !== '')
  .map((statement) => statement.replace(/where/, 'where project_id = :project and'))

test('after Time Travel, the statements of the runbook bring the vectors of current and retired items back', async () => {
  const user = await newWriter()
  const ctx = ctxOf(user)
  const [current, retired] = [await stored(ctx, 'a blue kettle'), await stored(ctx, 'a green bicycle')]
  const before = await db.all<Record<string, string | number | null>>(
    'select id, version, text_version, vector_version, indexed_version, text, text_hash from memory_items where project_id = :project',
    { project: user.projectId },
  )
  for (const { id } of [current, retired]) {
    await user.send('PATCH', `/v1/memory/items/${id}`, { content: `text of the lost time ${id}` })
    await user.send('PATCH', `/v1/memory/items/${id}`, { content: `later text of the lost time ${id}` })
  }
  await embedItems(ctx, db, [current.id, retired.id])
  // What the restore of the database leaves: the rows of before, and vectors of the time after.
  for (const row of before)
    await db.write(
      `update memory_items set version = :version, text_version = :text_version, vector_version = :vector_version,
        indexed_version = :indexed_version, text = :text, text_hash = :text_hash where id = :id`,
      row,
    )
  await user.send('POST', `/v1/memory/items/${retired.id}/retire`)

  expect(repair).toHaveLength(2)
  for (const statement of repair) await db.write(statement, { project: user.projectId })
  await user.send('POST', `/v1/memory/items/${retired.id}/restore`)
  await embedItems(ctx, db, [current.id, retired.id])
  for (const [query, { id }] of [
    ['blue kettle', current],
    ['green bicycle', retired],
  ] as const) {
    travel(1_000)
    const { body } = await user.send('POST', '/api/memory/search', { query, mode: 'semantic' })
    expect(body.results[0]?.id).toBe(id)
  }
})
