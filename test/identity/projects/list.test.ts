/** @module-tag shards */
import { expect, test } from 'vitest'
import { call, newSession, newTenant } from '../../support/world.ts'

test('security 28: a cursor of another tenant shows nothing of it', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const foreign = await newSession(theirs)
  await call('POST', '/api/projects', { headers: foreign, body: { name: 'Secret', workspace_id: theirs.workspaceId } })
  const page = await call('GET', '/v1/projects?limit=1', { headers: foreign })
  const answer = await call('GET', `/v1/projects?cursor=${page.body.next_cursor}`, { headers: await newSession(mine) })
  const ids = answer.body.data.map((one: { id: string }) => one.id)
  expect(ids.every((id: string) => id === mine.projectId)).toBe(true)
  expect(answer.text).not.toContain(theirs.projectId)
})
