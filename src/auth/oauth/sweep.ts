import type { Sweep } from '../../core/job.ts'
import type { System } from '../../core/context.ts'

/** A grant without tokens is kept this long, so that the list of what a user granted does not forget at once. */
const LAPSED_GRANT_MS = 24 * 3_600_000
/** Who registered itself and was never used, and who was deleted, is forgotten after this long. */
const UNUSED_CLIENT_MS = 30 * 24 * 3_600_000
const PAGE = 500

/** Erases what is past its time: tokens, codes, and then the grants that hold nothing any more. */
export async function sweepOAuth(system: System): Promise<void> {
  const now = system.now()
  for (const shard of system.shards) {
    const db = system.database(shard)
    await db.batch([
      db.statement(
        'delete from oauth_tokens where id in (select id from oauth_tokens where expires_at <= ? limit ?)',
        now,
        PAGE,
      ),
      // A used code stays as long as its tokens could: a replay must still end them.
      db.statement(
        `delete from oauth_codes where code_hash in (
           select c.code_hash from oauth_codes c where c.expires_at <= ?
             and not exists (select 1 from oauth_tokens t where t.grant_id = c.grant_id) limit ?)`,
        now,
        PAGE,
      ),
      db.statement(
        `delete from oauth_grants where id in (
           select g.id from oauth_grants g
           where g.created_at <= ? and (g.revoked_at is null or g.denied_at is not null)
             and not exists (select 1 from oauth_tokens t where t.grant_id = g.id)
             and not exists (select 1 from oauth_codes c where c.grant_id = g.id) limit ?)`,
        now - LAPSED_GRANT_MS,
        PAGE,
      ),
      db.statement(
        `delete from oauth_clients where id in (
           select c.id from oauth_clients c
           where (c.deleted_at <= ?1 or (c.user_id is null and c.created_at <= ?1))
             and not exists (select 1 from oauth_grants g where g.client_id = c.id) limit ?2)`,
        now - UNUSED_CLIENT_MS,
        PAGE,
      ),
    ])
  }
}

/**
 * Tells the hubs of the users of deleted applications to refuse their tokens (contract §2: within 60 s).
 * Safe to repeat: a denial is monotone.
 */
export async function denyRevokedGrants(system: System): Promise<void> {
  for (const shard of system.shards) {
    const db = system.database(shard)
    for (;;) {
      const grants = await db.all<{ id: string; routing_id: string }>(
        `select g.id, u.routing_id from oauth_grants g join users u on u.id = g.user_id
         where g.revoked_at is not null and g.denied_at is null limit ?`,
        PAGE,
      )
      if (grants.length === 0) break
      await Promise.all(grants.map((grant) => system.hub(grant.routing_id).deny({ ids: [grant.id] })))
      await db.write(
        'update oauth_grants set denied_at = ? where id in (select value from json_each(?))',
        system.now(),
        JSON.stringify(grants.map((grant) => grant.id)),
      )
    }
  }
}

export const oauthSweeps: readonly Sweep[] = [
  { name: 'oauth.expire', everyMinutes: 10, run: sweepOAuth },
  { name: 'oauth.deny_revoked', everyMinutes: 1, run: denyRevokedGrants },
]
