import { expect, test } from 'vitest'
import { newKey, type NewKey } from '../../../src/identity/api-keys/new-key.ts'
import { sql } from '../../../src/core/database/sql.ts'
import { sha256 } from '../../../src/core/values/hash.ts'
import { db, newTenant, system } from '../../support/world.ts'

const wanted = async (): Promise<NewKey> => {
  const { tenantId, userId, routingId } = await newTenant()
  return {
    tenantId,
    userId,
    routingId,
    workspaceId: null,
    createdBy: userId,
    name: 'Backend',
    environment: 'test',
    scopes: ['read:memory'],
    permissions: null,
    expiresAt: null,
  }
}

test('a key is shown once: its hash and its last four characters are all that is stored of it', async () => {
  const key = await wanted()
  const { id, secret, statement } = await newKey(system, db, key)
  await db.batch([statement])
  expect(await system.tokens.parse(secret)).toMatchObject({ prefix: 'rck_test', routingId: key.routingId })
  const row = await db.first('select * from api_keys where id = :id', { id })
  expect(row).toMatchObject({ token_hash: await sha256(secret), last_four: secret.slice(-4), user_id: key.userId })
  expect(JSON.stringify(row)).not.toContain(secret)
})

test('a condition that does not hold stores nothing', async () => {
  const never = sql('exists (select 1 from users where id = :user)', { user: 'x' })
  const { id, statement } = await newKey(system, db, await wanted(), never)
  await db.batch([statement])
  expect(await db.first('select 1 from api_keys where id = :id', { id })).toBeNull()
})
