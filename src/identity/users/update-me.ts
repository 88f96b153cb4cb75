import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { selectList } from '../../core/database/columns.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { text } from '../../core/http/fields.ts'
import { requirePerson } from './get-me.ts'
import {
  noSuchUser,
  THEMES,
  toUser,
  USER_COLUMNS,
  UserOrWritten,
  type User,
  type UserRow,
  SAMPLE_USER,
} from './user.ts'

/** A BCP 47 tag, stored in its canonical form (RFC 5646 §4.5). */
const Language = z
  .string()
  .min(2)
  .max(35)
  .transform((tag, issues) => {
    try {
      return Intl.getCanonicalLocales(tag)[0] ?? tag
    } catch {
      issues.addIssue({
        code: 'custom',
        message: 'must be a BCP 47 language tag',
        params: { code: 'invalid_language' },
      })
      return z.NEVER
    }
  })
  .openapi({
    type: 'string',
    minLength: 2,
    maxLength: 35,
    pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    example: 'en-US',
  })

export const UpdateMe = z
  .strictObject({
    name: text(1, 120).optional(),
    avatar_url: z
      .union([z.literal(''), z.url({ protocol: /^https$/ }).max(2_048)])
      .optional()
      .meta({ type: 'string', maxLength: 2_048, description: 'An HTTPS URL, or an empty string for none.' }),
    settings: z
      .strictObject({
        theme: z.enum(THEMES).optional(),
        language: Language.optional(),
        notifications: z.strictObject({ email: z.boolean().optional(), push: z.boolean().optional() }).optional(),
      })
      .optional(),
  })
  .openapi('ProfileChanges')

/** Changes the fields that are named. `settings` is merged field by field, also with a change at the same moment. */
export async function updateMe(ctx: AuthContext, input: z.output<typeof UpdateMe>): Promise<User> {
  requirePerson(ctx)
  const [[row]] = await ctx.db.batch<[UserRow, never]>([
    ctx.db.statement(
      `update users set name = coalesce(:name, name), avatar_url = coalesce(:avatar_url, avatar_url),
         settings = json_patch(settings, :settings), updated_at = :now
       where id = :caller and deleted_at is null
       returning ${selectList(USER_COLUMNS)}, (select owner_id from tenants where id = tenant_id) as owner_id`,
      {
        caller: ctx.principal.userId,
        name: input.name ?? null,
        avatar_url: input.avatar_url ?? null,
        settings: JSON.stringify(input.settings ?? {}),
        now: ctx.now(),
      },
    ),
    auditStatement(ctx, 'users.update'),
  ])
  if (!row) throw noSuchUser()
  return toUser(ctx, ctx.db, row)
}

export const updateMeEndpoint = endpoint({
  method: 'patch',
  path: '/api/users/me',
  operationId: 'updateMe',
  refusals: {
    invalid_language: '`settings.language` is not a BCP 47 tag',
    invalid_format: '`avatar_url` is not an https URL',
    invalid_union: '`avatar_url` is not an https URL',
  },
  tag: 'users',
  summary: 'Change your profile',
  scope: 'write:profile',
  reads: 'read:profile',
  limit: 'write',
  audit: 'users.update',
  body: UpdateMe,
  reply: { 200: UserOrWritten },
  errors: ['user_context_required'],
  example: {
    body: { settings: { theme: 'dark', notifications: { push: false } } },
    reply: {
      ...SAMPLE_USER,
      settings: { theme: 'dark', language: 'en-US', notifications: { email: true, push: false } },
    },
  },
}).handle(({ ctx, body }) => updateMe(ctx, body))
