import { z } from '@hono/zod-openapi'
import { and, eq, isNull } from 'drizzle-orm'
import { tenants, users } from '../../auth/table.ts'
import type { System } from '../../core/context.ts'
import { columnsOf } from '../../core/database/columns.ts'
import type { Database } from '../../core/database/database.ts'
import { query } from '../../core/database/query.ts'
import { AppError } from '../../core/errors.ts'
import { iso } from '../../core/values/clock.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { wholeOrShort } from '../../core/http/written.ts'
import { REGIONS } from '../../core/regions.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'

export const THEMES = ['light', 'dark', 'system'] as const

export const SettingsSchema = z.object({
  theme: z.enum(THEMES),
  language: z.string(),
  notifications: z.object({ email: z.boolean(), push: z.boolean() }),
})
export type Settings = z.infer<typeof SettingsSchema>

/** The settings of a new user (contract §4). */
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  language: 'en-US',
  notifications: { email: true, push: true },
}

export const UserSchema = z
  .object({
    id: idOf('usr'),
    email: z.string(),
    name: z.string(),
    avatar_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    settings: SettingsSchema,
    region: z.enum(REGIONS).optional().meta({
      description: 'Where the tenant is stored. Only for the owner of the tenant, in a deployment with regions.',
    }),
  })
  .openapi('User')
export type User = z.infer<typeof UserSchema>

/** What a write answers of a profile. */
export const UserOrWritten = wholeOrShort('User', UserSchema, ['id', 'created_at', 'updated_at'])

export const SAMPLE_USER: User = {
  id: SAMPLE_IDS.ada,
  email: 'ada@example.com',
  name: 'Ada',
  avatar_url: '',
  created_at: SAMPLE_TIME,
  updated_at: SAMPLE_TIME,
  settings: DEFAULT_SETTINGS,
}

export const USER_COLUMNS = columnsOf(
  users,
  'id',
  'email',
  'name',
  'avatar_url',
  'settings',
  'created_at',
  'updated_at',
)
export type UserRow = Pick<typeof users.$inferSelect, keyof typeof USER_COLUMNS> & {
  /** The owner of the user's tenant. */
  owner_id: string | null
}

export const userById = query((db, by: { id: string }) =>
  db
    .select({ ...USER_COLUMNS, owner_id: tenants.owner_id })
    .from(users)
    .innerJoin(tenants, eq(tenants.id, users.tenant_id))
    .where(and(eq(users.id, by.id), isNull(users.deleted_at))),
)

export const noSuchUser = (): AppError => new AppError('not_found', { detail: 'No such user.' })

/** A user as the wire shows it. `shard`: of the user's database. */
export function toUser({ config }: Pick<System, 'config'>, { shard }: Pick<Database, 'shard'>, row: UserRow): User {
  const region = row.owner_id === row.id ? config.shardRegions.get(shard) : undefined
  return {
    id: row.id,
    email: row.email ?? '',
    name: row.name,
    avatar_url: row.avatar_url,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    settings: SettingsSchema.parse(JSON.parse(row.settings)),
    ...(region ? { region } : {}),
  }
}
