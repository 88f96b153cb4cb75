import type { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { selectList } from '../../core/database/columns.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import {
  KEY_COLUMNS,
  KeySchema,
  managerOf,
  MANAGED_KEYS,
  refuseApplications,
  toKey,
  type Key,
  type KeyRow,
  SAMPLE_KEY,
} from './key.ts'
import { includeRevoked } from './revoked.ts'
import { samplePage } from '../../core/sample.ts'

export const ListKeys = PageQuery.extend({ include: includeRevoked })

/** The keys that the caller manages, newest first, never with a secret; revoked ones on demand. */
export async function listKeys(ctx: AuthContext, input: z.output<typeof ListKeys>): Promise<Page<Key>> {
  refuseApplications(ctx)
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<KeyRow>(
    `select ${selectList(KEY_COLUMNS, 'k')} from ${MANAGED_KEYS} and (k.created_at, k.id) < (:before, :before_id)
     order by k.created_at desc, k.id desc limit :limit`,
    { ...managerOf(ctx, input.include), before, before_id: beforeId, limit: input.limit + 1 },
  )
  return newestFirst.page(rows, input, (row) => toKey(row, ctx.now()))
}

export const listKeysEndpoint = endpoint({
  method: 'get',
  path: '/v1/api-keys',
  operationId: 'listApiKeys',
  tag: 'api-keys',
  summary: 'List API keys',
  description: '`include=revoked` adds keys that were revoked within the last 90 days.',
  scope: 'admin:workspace',
  limit: 'read',
  audit: 'api_keys.list',
  query: ListKeys,
  reply: { 200: pageOf(KeySchema) },
  errors: ['session_required'],
  example: { reply: samplePage(SAMPLE_KEY) },
}).handle(({ ctx, query }) => listKeys(ctx, query))
