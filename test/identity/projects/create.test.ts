/** @module-tag shards */
import { expect, test } from 'vitest'
import { createProject, CreateProject } from '../../../src/identity/projects/create.ts'
import { requestContext } from '../../support/oauth.ts'
import { callerOf } from '../../support/race.ts'
import { call, db, newSession, newTenant, system } from '../../support/world.ts'

test('POST /api/projects answers 201 with the fields of contract §4, absent optional strings as ""', async () => {
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
    guard: { secrets: { direct: 'flag', unattended: 'redact' }, cards: 'off', ibans: 'off' },
    created_at: expect.stringMatching(/Z$/),
    updated_at: body.created_at,
    created_by: userId,
    retention: [],
  })
})

test("another tenant's workspace is a 404 and leaves nothing behind", async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const { status, body } = await call('POST', '/api/projects', {
    key: mine.key,
    body: { name: 'x', workspace_id: theirs.workspaceId },
  })
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' })
  expect(
    await db.all('select id from projects where workspace_id = :workspace', { workspace: theirs.workspaceId }),
  ).toHaveLength(1)
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

test('past the quota of projects: 403 quota_exceeded, also for requests at once; a deleted project no longer counts', async () => {
  const tenant = await newTenant()
  const caller = await callerOf(await newSession(tenant))
  // One of three is the project "Default".
  const config = { ...system.config, quotas: { ...system.config.quotas, projects: 3 } }
  const create = () =>
    createProject(
      requestContext({ config }, caller),
      CreateProject.parse({ name: 'Bot', workspace_id: tenant.workspaceId }),
    )
  await create()
  const outcomes = await Promise.allSettled([create(), create()])
  const refused = outcomes.filter((one) => one.status === 'rejected')
  expect(refused).toMatchObject([{ reason: { code: 'quota_exceeded', status: 403 } }])
  await call('DELETE', `/api/projects/${tenant.projectId}`, { key: tenant.key })
  await create()
  await expect(create()).rejects.toMatchObject({ code: 'quota_exceeded' })
})
