import { expect, test } from 'vitest'
import { onBehalfOf } from '../../../src/auth/grants/on-behalf-of.ts'
import { requestContext } from '../../support/oauth.ts'
import { newTenant } from '../../support/world.ts'

test('the context of a grant has its user, application and scopes, and a trail of its own', async () => {
  const { tenantId, userId, routingId } = await newTenant()
  const ctx = requestContext()
  ctx.trail.committed = true
  const auth = onBehalfOf(ctx, {
    tenantId,
    userId,
    routingId,
    grantId: 'grt_1',
    clientId: 'app_1',
    resource: null,
    scopes: ['read:memory'],
  })
  expect(auth.principal).toMatchObject({ tenantId, userId, routingId, scopes: ['read:memory'] })
  expect(auth.principal.credential).toMatchObject({ kind: 'access', appId: 'app_1', grantId: 'grt_1' })
  expect(auth.trail).toMatchObject({ resourceIds: ['grt_1'], committed: false })
  expect(ctx).toMatchObject({ principal: null, trail: { resourceIds: [], committed: true } })
})
