import { expect, test } from 'vitest'
import { newClient } from '../../../../src/auth/oauth/clients/new-client.ts'
import { sha256 } from '../../../../src/core/values/hash.ts'
import { REDIRECT } from '../../../support/oauth.ts'
import { db, newTenant, system } from '../../../support/world.ts'

const wanted = (routingId: string, type: 'confidential' | 'public') => ({
  owner: null,
  routingId,
  name: 'Notes',
  type,
  redirectUris: [REDIRECT],
  scopes: ['read:memory'] as const,
  requirePkce: true,
  refreshGraceSeconds: 30,
})

test('a confidential application has a secret, and only its hash is stored', async () => {
  const { routingId } = await newTenant()
  const { id, secret, statement } = await newClient(system, db, wanted(routingId, 'confidential'))
  const [[row]] = await db.batch<[Record<string, unknown>]>([statement])
  expect(await system.tokens.parse(secret ?? '')).toMatchObject({ prefix: 'rcx', routingId })
  expect(row).toMatchObject({
    id,
    secret_hash: await sha256(secret ?? ''),
    redirect_uris: JSON.stringify([REDIRECT]),
    require_pkce: 1,
    old_secret_hash: null,
  })
  expect(JSON.stringify(row)).not.toContain(secret)
})

test('a public application has no secret', async () => {
  const { secret, statement } = await newClient(system, db, wanted((await newTenant()).routingId, 'public'))
  const [[row]] = await db.batch<[{ secret_hash: string | null }]>([statement])
  expect([secret, row?.secret_hash]).toEqual([null, null])
})
