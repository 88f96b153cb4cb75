import { z } from 'zod'
import { readBeginning } from '../../core/http/read-beginning.ts'
import { ResolverSilent } from '../../core/http/resolver-silent.ts'
import { resolvedFault } from '../../core/http/target-guard.ts'
import type { DocumentReply, Resolver } from '../../core/ports.ts'
import { within } from '../../core/values/deadline.ts'
import { freshFor } from './freshness.ts'

/** The name must be resolved and the whole document be here within this time. */
export const DEADLINE_MS = 10_000
export const MAX_DOCUMENT_BYTES = 5 * 1024

/** The parts of a metadata document that are used here (RFC 7591 §2). All others are ignored. */
const Document = z.object({
  client_id: z.string(),
  client_name: z.string().max(120).nullish(),
  redirect_uris: z.array(z.string()).max(50),
  scope: z.string().max(4_096).nullish(),
  token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']).nullish(),
  client_secret: z.never().optional(),
})

export interface DocumentDeps {
  fetch: typeof fetch
  resolver: Resolver
  now(): number
}

/**
 * Fetches the metadata document of an application: from a public address, without redirects, whole, and naming its own
 * address as its `client_id`. `private_key_jwt` counts as `none`, since the client must use S256. It never throws.
 */
export async function readDocument(
  deps: DocumentDeps,
  url: string,
  allowPrivate: boolean,
  deadlineMs = DEADLINE_MS,
): Promise<DocumentReply> {
  const controller = new AbortController()
  try {
    return await within(deadlineMs, fetchDocument(deps, url, allowPrivate, controller.signal), () => new Late())
  } catch (error) {
    if (error instanceof ResolverSilent)
      return { outcome: 'failed', fault: 'the name of its host could not be looked up', resolverSilent: true }
    return failed(error instanceof Late ? 'it did not arrive in time' : 'its host could not be reached')
  } finally {
    controller.abort()
  }
}

class Late extends Error {}

async function fetchDocument(
  deps: DocumentDeps,
  url: string,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<DocumentReply> {
  if ((await resolvedFault(url, deps.resolver, allowPrivate)) !== null) return failed('its host is not public')
  const response = await deps.fetch(url, { headers: { Accept: 'application/json' }, redirect: 'manual', signal })
  // The rest of a response that is not read would hold its connection.
  if (response.status !== 200) {
    await response.body?.cancel()
    return failed(`its host answered ${response.status}`)
  }
  const { text, whole } = await readBeginning(response, MAX_DOCUMENT_BYTES, signal)
  if (!whole) return failed('it is larger than 5 KiB')
  const parsed = Document.safeParse(parseJson(text))
  if (!parsed.success) return failed('it is not the metadata of a public application')
  const { client_id: id, client_name: name, redirect_uris: redirectUris, scope } = parsed.data
  if (id !== url) return failed('it names another client_id')
  return {
    outcome: 'read',
    document: { name: name ?? undefined, redirectUris, scope: scope ?? undefined },
    freshUntil: deps.now() + freshFor(response.headers, deps.now()),
  }
}

const failed = (fault: string): DocumentReply => ({ outcome: 'failed', fault, resolverSilent: false })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
