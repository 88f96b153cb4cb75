import type { AuthContext, System } from '../../../core/context.ts'
import type { Database, Statement } from '../../../core/database/database.ts'
import { and, joined, type Sql } from '../../../core/database/sql.ts'
import { FIRST_SHARD } from '../../../core/shards.ts'
import { credentialNotRevoked } from '../../credentials/load.ts'
import { directoryDatabase } from '../../directory/accounts.ts'
import { isDocument, isOwned, type Client } from './client.ts'
import { noteUse } from './note-use.ts'

/**
 * The statements that keep a copy of an application without an owner with the consent, and never before. The user's shard
 * knows by the copy that the application has no owner. None where that shard has the application itself.
 */
export function copyStatements(ctx: AuthContext, client: Client): Statement[] {
  if (isOwned(client) || (!isDocument(client) && ctx.db.shard === FIRST_SHARD)) return []
  return [copyStatement(ctx, ctx.db, client, credentialNotRevoked(ctx))]
}

/**
 * Hands a consent on to the directory's shard, before its code goes out. The token endpoint reads the copy of a metadata
 * document there, whether the document's host answers or not. Nothing to do where the consent itself was committed there.
 */
export async function reportConsent(ctx: AuthContext, client: Client): Promise<void> {
  if (isOwned(client) || ctx.db.shard === FIRST_SHARD) return
  const directory = directoryDatabase(ctx)
  if (isDocument(client)) await directory.batch([copyStatement(ctx, directory, client)])
  await noteUse(ctx, client)
}

/** An older copy never replaces a newer one. */
const copyStatement = (system: Pick<System, 'now'>, db: Database, client: Client, onlyIf: Sql = and()): Statement =>
  db.statement(
    `insert into oauth_clients (id, name, type, redirect_uris, scopes, require_pkce, refresh_grace_seconds, created_at,
                                updated_at, fresh_until)
     select :id, :name, :type, :redirect_uris, :scopes, 1, :grace_seconds, :now, :now, :fresh_until where ${onlyIf.sql}
     on conflict (id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris, scopes = excluded.scopes,
       updated_at = excluded.updated_at, fresh_until = excluded.fresh_until
     where excluded.fresh_until > oauth_clients.fresh_until`,
    joined(
      {
        id: client.id,
        name: client.name,
        type: client.type,
        redirect_uris: JSON.stringify(client.redirectUris),
        scopes: JSON.stringify(client.scopes),
        grace_seconds: client.refreshGraceMs / 1_000,
        now: system.now(),
        fresh_until: client.freshUntil,
      },
      onlyIf.params,
    ),
  )
