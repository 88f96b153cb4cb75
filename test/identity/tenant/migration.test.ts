import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { addMember, bindingIn, db, home, newTenant } from '../../support/world.ts'

test('a tenant of before gets its first person as owner, or nobody where that person has left', async () => {
  const [here, left] = [await newTenant(), await newTenant()]
  for (const tenant of [here, left]) {
    const member = await addMember(tenant, 'owner')
    await db.write('update users set created_at = created_at + 1 where id = :user', { user: member.userId })
  }
  await db.write('update users set deleted_at = 1 where id = :user', { user: left.userId })
  await db.write('update tenants set owner_id = null where id in (:tenant, :tenant_id)', {
    tenant: here.tenantId,
    tenant_id: left.tenantId,
  })
  const backfill = env.MAIN_MIGRATIONS.flatMap(({ queries }) => queries).find((sql) => sql.includes('UPDATE `tenants`'))
  await bindingIn(home)
    .prepare(backfill ?? '')
    .run()
  const ownerOf = (id: string) => db.first('select owner_id from tenants where id = :id', { id })
  expect(await ownerOf(here.tenantId)).toEqual({ owner_id: here.userId })
  expect(await ownerOf(left.tenantId)).toEqual({ owner_id: null })
})
