import type { System } from '../core/context.ts'
import type { AuditMessage } from './message.ts'
import { MINUTE_MS } from '../core/values/durations.ts'

const TABLE_OF = { key: 'api_keys', session: 'sessions' } as const

/** Stores `last_used_at` to the minute, with one statement a table; safe to repeat. */
export async function storeLastUses(system: System, shard: string, messages: readonly AuditMessage[]): Promise<void> {
  const uses = messages.flatMap((message) => Object.entries(message.uses))
  if (uses.length === 0) return
  const db = system.database(shard)
  await db.batch(
    (['key', 'session'] as const).map((kind) =>
      db.statement(
        `update ${TABLE_OF[kind]} as t set last_used_at = u.at
         from (select value ->> 0 as id, max(value ->> 1) as at from json_each(:uses) group by 1) u
         where t.id = u.id and (t.last_used_at is null or t.last_used_at < u.at)`,
        {
          uses: JSON.stringify(
            uses.filter(([, use]) => use.kind === kind).map(([id, use]) => [id, use.at - (use.at % MINUTE_MS)]),
          ),
        },
      ),
    ),
  )
}
