import type { Scope, System } from '../../../core/context.ts'
import { isId } from '../../../core/values/ids.ts'
import { FIRST_SHARD } from '../../../core/shards.ts'
import { directoryDatabase } from '../../directory/accounts.ts'
import type { oauth_clients } from '../../table.ts'

/** The longest `client_id`: an address. */
export const MAX_OAUTH_CLIENT_ID_CHARACTERS = 2_000

/**
 * Whether a `client_id` is the address of a metadata document: an https URL with a path, in its normal form, without fragment
 * and user info. The normal form has no dot segments.
 */
export function isDocumentUrl(clientId: string, allowPrivate: boolean): boolean {
  if (clientId.length > MAX_OAUTH_CLIENT_ID_CHARACTERS || clientId.includes('#')) return false
  const url = URL.parse(clientId)
  if (url?.href !== clientId || url.pathname === '/' || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:')
}

/** An OAuth application; neither it nor its owner is deleted. */
export interface Client {
  id: string
  /** Whose database has the application, and the log of its owner. */
  shard: string
  tenantId: string | null
  userId: string | null
  name: string
  type: 'confidential' | 'public'
  redirectUris: readonly string[]
  scopes: readonly Scope[]
  requirePkce: boolean
  refreshGraceMs: number
  /** Hashes of the secrets that are valid now: two of them during the overlap of a rotation. */
  secretHashes: readonly string[]
  /** The day of its last token request, where it has no owner; null: none is known. */
  lastUsedAt: number | null
  /** The copy of a metadata document is fetched again from here on; 0 for every other application. */
  freshUntil: number
}

/** Whether a user of ours made the application. Every other one has registered itself, or is a metadata document. */
export const isOwned = ({ userId }: Pick<Client, 'userId'>): boolean => userId !== null

/** Whether the application is a metadata document: its id is then an address, and all users of an agent share it. */
export const isDocument = ({ id }: Pick<Client, 'id'>): boolean => /^https?:/.test(id)

type ClientRow = Omit<typeof oauth_clients.$inferSelect, 'created_at' | 'updated_at' | 'deleted_at'>

const BY_ID = `
  select c.id, c.tenant_id, c.user_id, c.name, c.type, c.redirect_uris, c.scopes, c.require_pkce,
         c.refresh_grace_seconds, c.secret_hash, c.old_secret_hash, c.old_secret_expires_at, c.last_used_at,
         c.fresh_until
  from oauth_clients c left join users u on u.id = c.user_id
  where c.id = :client and c.deleted_at is null and (c.user_id is null or u.deleted_at is null)`

/** An application that the directory's own shard has, and the shard of one that another has: never null where it is known. */
const IN_DIRECTORY = `
  select d.shard, c.* from (select :client as client_id) k left join client_directory d on d.id = k.client_id
  left join (${BY_ID}) c on c.id = k.client_id`

/**
 * Finds an application by its `client_id`, in whichever shard its owner is; null where there is none. One without an owner is
 * in the directory's shard. For a metadata document that shard has the newest copy of all consents.
 */
export async function findClient(system: System, clientId: string): Promise<Client | null> {
  if (!isId('app', clientId) && !isDocumentUrl(clientId, system.config.allowPrivateClientDocuments)) return null
  const known = await directoryDatabase(system).first<Partial<ClientRow> & { shard: string | null }>(IN_DIRECTORY, {
    client: clientId,
  })
  const shard = known?.shard ?? FIRST_SHARD
  const row = shard === FIRST_SHARD ? known : await system.database(shard).first<ClientRow>(BY_ID, { client: clientId })
  return row && isRow(row) ? toClient(row, shard, system.now()) : null
}

/** A left join without a match has nulls. */
const isRow = (row: Partial<ClientRow>): row is ClientRow => row.id != null

function toClient(row: ClientRow, shard: string, now: number): Client {
  const old = row.old_secret_expires_at !== null && now < row.old_secret_expires_at ? row.old_secret_hash : null
  return {
    id: row.id,
    shard,
    tenantId: row.tenant_id,
    userId: row.user_id,
    name: row.name,
    type: row.type,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    scopes: JSON.parse(row.scopes) as Scope[],
    requirePkce: row.require_pkce === 1,
    refreshGraceMs: row.refresh_grace_seconds * 1_000,
    secretHashes: [row.secret_hash, old].filter((hash) => hash !== null),
    lastUsedAt: row.last_used_at,
    freshUntil: row.fresh_until ?? 0,
  }
}
