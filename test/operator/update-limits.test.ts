/** @module-tag shards */
import { expect, test } from 'vitest'
import { SETTABLE } from '../../src/core/settable-limits.ts'
import { updateLimits } from '../../src/operator/update-limits.ts'
import type { Database } from '../../src/core/database/database.ts'
import { asOperator, operate, setLimits } from '../support/operator.ts'
import { racing } from '../support/race.ts'
import { addKey, addMember, call, db, home, newSession, newTenant, system } from '../support/world.ts'

const settingsOf = (subject: string) =>
  db.all<{ name: string; account_class: string; permits: number; holder: string; tenant_id: string | null }>(
    'select name, account_class, permits, holder, tenant_id from limit_settings where subject = :subject order by 1, 2',
    { subject },
  )

const changesOf = async (subject: string) => (await operate('GET', `/changes?subject=${subject}`)).body.data

test('contract §6: limits of a tenant are set, shown and taken away, and those that are not named stay', async () => {
  const { tenantId } = await newTenant()
  const set = await setLimits(tenantId, {
    limits: { 'memory.search': 50, 'api-key': 100 },
    service_account_limits: { 'memory.search': 500 },
  })
  expect(set.status).toBe(200)
  expect(set.body).toMatchObject({ subject: tenantId, type: 'tenant', tenant_id: tenantId, user_id: null })
  const shown = (answer: { body: any }, name: string) =>
    answer.body.limits
      .filter((one: { name: string }) => one.name === name)
      .map(({ account_class, set, limit, max }: any) => [account_class, set, limit, max])
  expect(shown(set, 'memory.search')).toEqual([
    ['users', 50, 50, 1_000],
    ['service_accounts', 500, 500, 1_000],
  ])
  expect(shown(set, 'api-key')).toEqual([
    ['users', 100, 100, 1_000],
    ['service_accounts', null, 100, 1_000],
  ])
  const away = await setLimits(tenantId, { limits: { 'memory.search': null } })
  expect(shown(away, 'memory.search')).toEqual([
    ['users', null, 5, 1_000],
    ['service_accounts', 500, 500, 1_000],
  ])
  expect(shown(await operate('GET', `/limits/${tenantId}`), 'api-key')[0]).toEqual(['users', 100, 100, 1_000])
})

test('limits of a user and of a key are found by their user, and carry the tenant', async () => {
  const tenant = await newTenant()
  await setLimits(tenant.userId, { limits: { read: 30 } })
  const key = await setLimits(tenant.keyId, { limits: { 'api-key': 200 } })
  expect(key.body).toMatchObject({
    type: 'api_key',
    user_id: tenant.userId,
    tenant_id: tenant.tenantId,
    limits: [{ name: 'api-key', account_class: 'users', set: 200, limit: 200, window_seconds: 1, per: 'key' }],
  })
  const common = { account_class: 'users', holder: tenant.userId, tenant_id: tenant.tenantId }
  expect(await settingsOf(tenant.userId)).toEqual([{ name: 'read', permits: 30, ...common }])
  expect(await settingsOf(tenant.keyId)).toEqual([{ name: 'api-key', permits: 200, ...common }])
})

test.for<[string, unknown, string, string]>([
  ['zero', { limits: { read: 0 } }, 'limits.read', 'too_small'],
  ['a fraction', { limits: { read: 1.5 } }, 'limits.read', 'invalid_type'],
  ['more than 1,000 a second', { limits: { read: 1_001 } }, 'limits.read', 'too_big'],
  ['more than 60,000 in a window', { limits: { 'events.subscribe': 60_001 } }, 'limits.events.subscribe', 'too_big'],
  ['a text', { limits: { read: '5' } }, 'limits.read', 'invalid_type'],
  ['a limit of addresses', { limits: { login: 50 } }, 'limits.login', 'unknown_field'],
  ['an unknown limit', { limits: { 'memory.serch': 5 } }, 'limits.memory.serch', 'unknown_field'],
  ['an unknown member', { limit: {} }, 'limit', 'unknown_field'],
])('%s is 422 and changes nothing', async ([, body, path]) => {
  const { tenantId } = await newTenant()
  const answer = await setLimits(tenantId, body)
  expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([422, path])
  expect([await settingsOf(tenantId), await changesOf(tenantId)]).toEqual([[], []])
})

test('1,000 a second is the most, and 60,000 in a window', async () => {
  const { tenantId } = await newTenant()
  const most = { read: 1_000, 'events.publish': 60_000, 'events.subscribe': 60_000 }
  expect((await setLimits(tenantId, { limits: most })).status).toBe(200)
})

test('a user and a key take what is theirs alone', async () => {
  const { userId, keyId } = await newTenant()
  for (const [subject, body, path] of [
    [userId, { service_account_limits: { read: 5 } }, 'service_account_limits'],
    [keyId, { limits: { read: 5 } }, 'limits.read'],
  ] as const) {
    const answer = await setLimits(subject, body)
    expect([answer.status, answer.body.errors[0]]).toEqual([
      422,
      expect.objectContaining({ path, code: 'not_applicable' }),
    ])
  }
})

test('an id that never existed, that of a deleted user and that of a revoked key are the same 404', async () => {
  const tenant = await newTenant()
  const gone = await addMember(tenant, 'viewer')
  await db.write('update users set deleted_at = 1 where id = :user', { user: gone.userId })
  const key = await addKey(tenant)
  await db.write('update api_keys set revoked_at = 1 where id = :id', { id: key.id })
  const answers = await Promise.all(
    ['ten_00000000000000000000000000', 'x', gone.userId, gone.keyId, key.id, tenant.projectId].map((subject) =>
      setLimits(subject, { limits: { 'api-key': 10 } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
  expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1)
})

test('two changes at once both hold, and each says in the audit what was there before it', async () => {
  const { tenantId } = await newTenant()
  await Promise.all([
    setLimits(tenantId, { limits: { read: 30 } }),
    setLimits(tenantId, { limits: { write: 40 } }),
    setLimits(tenantId, { limits: { read: 50 } }),
  ])
  const settings = await settingsOf(tenantId)
  expect(settings.map(({ name }) => name)).toEqual(['read', 'write'])
  const changes = (await changesOf(tenantId)).flatMap((one: any) => one.changes)
  const ofRead = changes.filter((one: any) => one.name === 'read')
  expect(ofRead).toHaveLength(2)
  // The one that came second found the first.
  const [first, second] = ofRead[0].from === null ? ofRead : ofRead.toReversed()
  expect([first.from, second.from]).toEqual([null, first.to])
  expect(settings[0]?.permits).toBe(second.to)
})

const context = (over: Partial<typeof system> & { database?: (shard: string) => Database }) => ({
  ...system,
  ...over,
  operator: 't1',
  requestId: system.newId('req'),
  client: { ip: '192.0.2.1', userAgent: '', origin: '' },
})

test('a change and its audit row are one commit: killed before it there is neither, and after it both', async () => {
  const { tenantId } = await newTenant()
  const killed = context({ database: () => racing(() => Promise.reject(new Error('killed'))) })
  await expect(updateLimits(killed, tenantId, { limits: { read: 30 } })).rejects.toThrow('killed')
  expect([await settingsOf(tenantId), await changesOf(tenantId)]).toEqual([[], []])
  await updateLimits(context({}), tenantId, { limits: { read: 30 } })
  expect([await settingsOf(tenantId), await changesOf(tenantId)]).toEqual([
    [expect.objectContaining({ name: 'read', permits: 30 })],
    [expect.objectContaining({ changes: [{ name: 'read', account_class: 'users', from: null, to: 30 }] })],
  ])
})

test('a subject that goes between look-up and commit gets neither a setting nor a row', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'viewer')
  const database = racing(() => db.write('update users set deleted_at = 1 where id = :user', { user: member.userId }))
  const losing = updateLimits(context({ database: () => database }), member.userId, { limits: { read: 30 } })
  await expect(losing).rejects.toMatchObject({ code: 'not_found' })
  expect([await settingsOf(member.userId), await changesOf(member.userId)]).toEqual([[], []])
})

test('contract §2: a rotated key passes its limits on to its successor, and the audit of the operators has a row of it', async () => {
  const tenant = await newTenant()
  await setLimits(tenant.keyId, { limits: { 'api-key': 70 } })
  const headers = await newSession(tenant)
  const { body } = await call('POST', `/v1/api-keys/${tenant.keyId}/rotate`, { headers })
  expect(body.id).not.toBe(tenant.keyId)
  expect(await settingsOf(body.id)).toEqual(await settingsOf(tenant.keyId))
  expect(await settingsOf(body.id)).toHaveLength(1)
  const { body: changes } = await operate('GET', `/changes?subject=${body.id}`)
  expect(changes.data).toMatchObject([
    {
      operator: 'key_rotation',
      tenant_id: tenant.tenantId,
      changes: [{ name: 'api-key', account_class: 'users', from: null, to: 70 }],
    },
  ])
})

test('a rotated key without limits of its own, and a rotation that was refused, leave no row', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const rotated = () => call('POST', `/v1/api-keys/${tenant.keyId}/rotate`, { headers })
  const { body } = await rotated()
  expect(await changesOf(body.id)).toEqual([])
  await setLimits(body.id, { limits: { 'api-key': 70 } })
  const rows = () => system.database(home).all('select id from operator_changes')
  const before = await rows()
  expect((await rotated()).status).toBe(409)
  expect(await rows()).toEqual(before)
})

test('every limit that can be set is one of its user, and the document names the most of each', async () => {
  const document = (await call('GET', '/api-reference/openapi.json')).body
  const { limits } =
    document.paths['/v1/operator/limits/{subject}'].patch.requestBody.content['application/json'].schema.properties
  expect(Object.keys(limits.properties)).toEqual([...SETTABLE])
  expect(limits.properties['memory.search']).toMatchObject({ minimum: 1, maximum: 1_000 })
  const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    path.startsWith('/v1/operator/') ? Object.values<any>(methods) : [],
  )
  expect(operations.map(({ security, tags }) => [security, tags])).toEqual(
    operations.map(() => [[{ operator: [] }], ['operator']]),
  )
  expect(document.components.securitySchemes.operator).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(asOperator.Authorization).toMatch(/^Bearer \S{43,}$/)
})
