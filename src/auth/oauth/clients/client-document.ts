import type { RequestContext } from '../../../core/context.ts'
import { urlFault } from '../../../core/http/target-guard.ts'
import { FIRST_SHARD } from '../../../core/shards.ts'
import type { ClientDocument, DocumentReply } from '../../../core/ports.ts'
import { addressSubject, rateLimited } from '../../../limits/index.ts'
import { isNativeRedirectUri } from '../redirect-uri.ts'
import { grantableScopes, OPEN_SCOPES } from '../scopes.ts'
import { findClient, isDocumentUrl, type Client } from './client.ts'
import { leaveDocumentsOut } from './documents-left-out.ts'
import { UNOWNED_GRACE_SECONDS } from './new-client.ts'

/** The client of an authorization request, or why it is refused. */
export type ClientAtAuthorize = { client: Client } | { fault: string; advice?: string }

const UNKNOWN = 'The link is from an application that this service does not know.'

/**
 * The application that asks for a consent. One that is a metadata document is fetched where the stored copy is stale
 * (draft-ietf-oauth-client-id-metadata-document §4). Throws 429 past the limit on fetches.
 */
export async function clientAtAuthorize(ctx: RequestContext, clientId: string): Promise<ClientAtAuthorize> {
  const stored = await findClient(ctx, clientId)
  if (!isDocumentUrl(clientId, ctx.config.allowPrivateClientDocuments)) {
    return stored ? { client: stored } : { fault: UNKNOWN }
  }
  if (!ctx.config.clientDocuments) return switchedOff(ctx)
  if (stored && ctx.now() < stored.freshUntil) return { client: stored }
  const reply = await readDocument(ctx, clientId)
  if (reply.outcome === 'failed') {
    if (!reply.resolverSilent) return { fault: notRead(reply.fault) }
    leaveDocumentsOut(ctx)
    return notLookedUp(ctx, new URL(clientId).host)
  }
  const client = toClient(clientId, reply.document, reply.freshUntil)
  return client ? { client } : { fault: notRead('it does not list a valid return address') }
}

async function readDocument(ctx: RequestContext, url: string): Promise<DocumentReply> {
  const { allowPrivateClientDocuments: allowPrivate, publicHosts } = ctx.config
  const ownHosts = [...publicHosts, new URL(ctx.client.origin).hostname]
  if (urlFault(url, ownHosts, allowPrivate) !== null)
    return { outcome: 'failed', fault: 'its host is not public', resolverSilent: false }
  const kept = await ctx.clientDocuments.kept(url)
  if (kept) return kept
  const permit = await ctx.limiter.acquire('oauth.document', addressSubject(ctx.client.ip))
  if (!permit.admitted) throw rateLimited([permit.state], permit.retryAt, ctx.now())
  return ctx.clientDocuments.fetch(url, allowPrivate)
}

const notRead = (fault: string): string =>
  `The application describes itself at an address that could not be used: ${fault}.`

const switchedOff = ({ config }: RequestContext): ClientAtAuthorize => ({
  fault: 'The application describes itself at an address, and this service does not read such addresses.',
  advice: config.openClientRegistration
    ? 'Remove the connection in your application and add it again: it then registers itself.'
    : 'Ask the operator of this service how to connect your application.',
})

const notLookedUp = ({ config }: RequestContext, host: string): ClientAtAuthorize => ({
  fault: `The application describes itself at ${host}, and this service could not look that name up: its DNS resolver does not answer.`,
  advice: config.openClientRegistration
    ? 'Start again from your application within five minutes: it then registers itself instead. If it does not, remove the connection there and add it again.'
    : 'Try again in some minutes. If this page comes back, tell the operator of this service.',
})

/** Null where no redirect URI is left. Every document is a public application, which must use S256. */
function toClient(id: string, document: ClientDocument, freshUntil: number): Client | null {
  const redirectUris = document.redirectUris.filter(isNativeRedirectUri)
  if (redirectUris.length === 0) return null
  const scopes = grantableScopes(document.scope, OPEN_SCOPES)
  return {
    id,
    shard: FIRST_SHARD,
    tenantId: null,
    userId: null,
    name: document.name?.trim() || new URL(id).host,
    type: 'public',
    redirectUris,
    scopes: scopes?.length === 0 ? OPEN_SCOPES : (scopes ?? []),
    requirePkce: true,
    refreshGraceMs: UNOWNED_GRACE_SECONDS * 1_000,
    secretHashes: [],
    lastUsedAt: null,
    freshUntil,
  }
}
