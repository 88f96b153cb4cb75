import { z } from '@hono/zod-openapi'
import { and, eq, isNull } from 'drizzle-orm'
import { users } from '../../auth/table.ts'
import { columnsOf } from '../../core/database/columns.ts'
import { query } from '../../core/database/query.ts'
import { AppError } from '../../core/errors.ts'
import { iso } from '../../core/values/clock.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'

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
  })
  .openapi('User')
export type User = z.infer<typeof UserSchema>

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
export type UserRow = Pick<typeof users.$inferSelect, keyof typeof USER_COLUMNS>

export const userById = query((db, by: { id: string }) =>
  db
    .select(USER_COLUMNS)
    .from(users)
    .where(and(eq(users.id, by.id), isNull(users.deleted_at))),
)

export const noSuchUser = (): AppError => new AppError('not_found', { detail: 'No such user.' })

export const toUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email ?? '',
  name: row.name,
  avatar_url: row.avatar_url,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
  settings: SettingsSchema.parse(JSON.parse(row.settings)),
})
