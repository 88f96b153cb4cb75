import { z } from '@hono/zod-openapi'
import { and, eq, gt, isNull, type SQL } from 'drizzle-orm'
import type { AuthContext } from '../../core/context.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { iso } from '../../core/values/clock.ts'
import { sessions } from '../table.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'

export const SessionSchema = z
  .object({
    id: idOf('ses'),
    user_agent: z.string().meta({ description: 'The `User-Agent` of the login.' }),
    current: z.boolean().meta({ description: 'Whether this is the session of the request.' }),
    created_at: timestamp,
    last_used_at: timestamp.nullable().meta({ description: 'Accurate to the minute.' }),
    expires_at: timestamp,
  })
  .openapi('Session')
export type Session = z.infer<typeof SessionSchema>

export const SAMPLE_SESSION: Session = {
  id: SAMPLE_IDS.session,
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
  current: true,
  created_at: SAMPLE_TIME,
  last_used_at: null,
  expires_at: '2026-11-22T09:30:00.000Z',
}

const { id, user_agent, created_at, last_used_at, expires_at } = sessions
export const SESSION_COLUMNS = { id, user_agent, created_at, last_used_at, expires_at }

type SessionRow = Pick<typeof sessions.$inferSelect, keyof typeof SESSION_COLUMNS>

/** The sessions of a user that are neither revoked nor expired. */
export const isLive = (of: { user: string; now: number }): SQL | undefined =>
  and(eq(sessions.user_id, of.user), isNull(sessions.revoked_at), gt(sessions.expires_at, of.now))

export const toSession = (ctx: AuthContext, row: SessionRow): Session => ({
  id: row.id,
  user_agent: row.user_agent,
  current: row.id === ctx.principal.credential.id,
  created_at: iso(row.created_at),
  last_used_at: row.last_used_at === null ? null : iso(row.last_used_at),
  expires_at: iso(row.expires_at),
})
