import { z } from '@hono/zod-openapi'
import { users } from '../../auth/table.ts'
import type { AuthContext } from '../../core/context.ts'
import { columnsOf, selectList } from '../../core/database/columns.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { iso } from '../../core/values/clock.ts'
import { SAMPLE_IDS, SAMPLE_TIME, samplePage } from '../../core/sample.ts'
import { requireTenantOwner } from './tenant.ts'

export const PersonSchema = z
  .object({
    user_id: idOf('usr'),
    email: z.string(),
    name: z.string(),
    avatar_url: z.string(),
    created_at: timestamp,
  })
  .openapi('Person')
export type Person = z.infer<typeof PersonSchema>

const COLUMNS = columnsOf(users, 'id', 'email', 'name', 'avatar_url', 'created_at')
type PersonRow = Pick<typeof users.$inferSelect, keyof typeof COLUMNS>

const toPerson = (row: PersonRow): Person => ({
  user_id: row.id,
  email: row.email ?? '',
  name: row.name,
  avatar_url: row.avatar_url,
  created_at: iso(row.created_at),
})

/** Every person of the tenant, newest first, whatever workspaces they are in; for the owner of the tenant alone. */
export async function listPeople(ctx: AuthContext, input: z.output<typeof PageQuery>): Promise<Page<Person>> {
  await requireTenantOwner(ctx)
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<PersonRow>(
    `select ${selectList(COLUMNS)} from users
     where tenant_id = :tenant and kind = 'person' and deleted_at is null and (created_at, id) < (:before, :before_id)
     order by created_at desc, id desc limit :limit`,
    { tenant: ctx.principal.tenantId, before, before_id: beforeId, limit: input.limit + 1 },
  )
  return newestFirst.page(rows, input, toPerson)
}

export const listPeopleEndpoint = endpoint({
  method: 'get',
  path: '/v1/tenant/people',
  operationId: 'listPeople',
  tag: 'users',
  summary: 'List the people in your tenant',
  description: 'For the owner of the tenant.',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'tenant.people.list',
  query: PageQuery,
  reply: { 200: pageOf(PersonSchema) },
  errors: ['forbidden'],
  example: {
    reply: samplePage({
      user_id: SAMPLE_IDS.grace,
      email: 'grace@example.com',
      name: 'Grace',
      avatar_url: '',
      created_at: SAMPLE_TIME,
    }),
  },
}).handle(({ ctx, query }) => listPeople(ctx, query))
