import { expect, test } from 'vitest'
import { call, db, newTenant } from '../../support/world.ts'

test('POST /api/projects answers 201 with the given fields, absent optional strings as ""', async () => {
  const { key, workspaceId, userId } = await newTenant()
  const { status, body } = await call('POST', '/api/projects', {
    key,
    body: { name: 'Bot', workspace_id: workspaceId },
  })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^prj_/),
    name: 'Bot',
    description: '',
    workspace_id: workspaceId,
    icon: '',
    created_at: expect.stringMatching(/Z$/),
    updated_at: body.created_at,
    created_by: userId,
  })
})

test("another tenant's workspace is a 404 and leaves nothing behind", async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const { status, body } = await call('POST', '/api/projects', {
    key: mine.key,
    body: { name: 'x', workspace_id: theirs.workspaceId },
  })
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' })
  expect(await db.all('select id from projects where workspace_id = ?', theirs.workspaceId)).toHaveLength(1)
})

test('an Idempotency-Key replays the first answer and refuses another body', async () => {
  const { key, workspaceId } = await newTenant()
  const send = (name: string) =>
    call('POST', '/api/projects', {
      key,
      headers: { 'Idempotency-Key': 'k1' },
      body: { name, workspace_id: workspaceId },
    })
  const first = await send('One')
  const again = await send('One')
  expect(again.status).toBe(201)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  const other = await send('Two')
  expect({ status: other.status, code: other.body.code }).toEqual({ status: 409, code: 'idempotency_mismatch' })
})

test('bad fields are 422, each named', async () => {
  const { key, workspaceId } = await newTenant()
  const { status, body } = await call('POST', '/api/projects', {
    key,
    body: { name: '', workspace_id: workspaceId, id: 'prj_x' },
  })
  expect(status).toBe(422)
  expect(body.errors.map((e: { path: string; code: string }) => [e.path, e.code])).toEqual([
    ['name', 'wrong_length'],
    ['id', 'unknown_field'],
  ])
})
