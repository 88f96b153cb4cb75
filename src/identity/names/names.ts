import { z } from '@hono/zod-openapi'
import { MAX_OAUTH_CLIENT_ID_CHARACTERS } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { NAMED_KINDS } from './names-sql.ts'

const MAX_NAMES_ASKED = 100

const NAME_KINDS = ['person', 'service', 'key', 'application', 'project', 'workspace'] as const

const NameSchema = z
  .object({
    name: z.string(),
    kind: z.enum(NAME_KINDS).meta({ description: "`service`: the account of a workspace's keys." }),
  })
  .openapi('Name')
export type Name = z.infer<typeof NameSchema>

/** By id; null: it never existed, or the caller does not see it. */
export type Names = Record<string, Name | null>

const NamesSchema = z.object({ names: z.record(z.string(), z.union([NameSchema, z.null()])) }).openapi('Names')

const NamesInput = z.strictObject({
  ids: z.array(z.string().min(1).max(MAX_OAUTH_CLIENT_ID_CHARACTERS)).min(1).max(MAX_NAMES_ASKED),
})

type NamedRow = Name & { id: string }

/**
 * What ids are called: those of people, service accounts, keys, applications, projects and workspaces that the caller may see
 * (contract §3). Which statements run follows from the form of the ids alone.
 */
export async function names(ctx: AuthContext, ids: readonly string[]): Promise<Names> {
  const { db, principal } = ctx
  const all = [...new Set(ids)]
  const statements = NAMED_KINDS.filter(({ listed }) => !listed || principal.scopes.includes('read:projects')).flatMap(
    ({ mayBe, sql, values }) => {
      const asked = all.filter(mayBe)
      return asked.length === 0 ? [] : [db.statement(sql, { ...values(ctx), ids: JSON.stringify(asked) })]
    },
  )
  const rows = statements.length === 0 ? [] : await db.batch<NamedRow[]>(statements)
  const found = new Map(rows.flat().map(({ id, name, kind }) => [id, { name, kind }]))
  return Object.fromEntries(all.map((id) => [id, found.get(id) ?? null]))
}

export const namesEndpoint = endpoint({
  method: 'post',
  path: '/v1/names',
  operationId: 'listNames',
  tag: 'users',
  summary: 'Get the names of ids',
  description:
    'Names of people, service accounts, keys, applications, projects and workspaces by their ids; null for an id that you cannot see. Names of projects and workspaces need `read:projects`.',
  scope: ['read:memory', 'read:projects', 'read:audit'],
  limit: 'read',
  audit: null,
  body: NamesInput,
  reply: { 200: NamesSchema },
  example: {
    body: { ids: [SAMPLE_IDS.ada, SAMPLE_IDS.key] },
    reply: {
      names: {
        [SAMPLE_IDS.ada]: { name: 'Ada', kind: 'person' },
        [SAMPLE_IDS.key]: { name: 'Support bot', kind: 'key' },
      },
    },
  },
}).handle(async ({ ctx, body }) => ({ names: await names(ctx, body.ids) }))
