import type { System } from '../../../core/context.ts'
import { fromBase64Url, utf8 } from '../../../core/values/encoding.ts'
import { timingSafeEqual } from '../../../core/values/hash.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import { findClient, type Client } from './client.ts'

export interface PresentedClient {
  clientId: string
  secret: string | undefined
  /** A refusal names HTTP Basic where the client used it (RFC 6749 §5.2). */
  basic: boolean
}

/** Reads the client of a request from HTTP Basic or from the form, never from both (RFC 6749 §2.3). */
export function readClient(
  authorization: string | null,
  form: { client_id?: string | undefined; client_secret?: string | undefined },
): PresentedClient {
  if (authorization === null) {
    if (form.client_id === undefined) throw new OAuthError('invalid_client', 'client_id is missing.')
    return { clientId: form.client_id, secret: form.client_secret, basic: false }
  }
  if (form.client_secret !== undefined) {
    throw new OAuthError('invalid_request', 'Authenticate once: with HTTP Basic or in the form.')
  }
  const basic = parseBasic(authorization)
  if (!basic) throw invalidClient(true)
  if (form.client_id !== undefined && form.client_id !== basic.clientId) {
    throw new OAuthError('invalid_request', 'client_id differs from the one in HTTP Basic.')
  }
  return { ...basic, basic: true }
}

/** Both halves are form-encoded inside HTTP Basic (RFC 6749 §2.3.1). Null for a malformed header. */
function parseBasic(authorization: string): { clientId: string; secret: string | undefined } | null {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization)?.[1]
  const bytes = encoded === undefined ? null : fromBase64Url(encoded)
  if (!bytes) return null
  try {
    const [id = '', ...rest] = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).split(':')
    if (rest.length === 0) return null
    const secret = formDecode(rest.join(':'))
    return { clientId: formDecode(id), secret: secret === '' ? undefined : secret }
  } catch {
    return null
  }
}

const formDecode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/** The application whose secret was presented; the same error for an unknown client and for a wrong secret. */
export async function authenticateClient(system: System, presented: PresentedClient): Promise<Client> {
  const secret = presented.secret === undefined ? undefined : await system.tokens.parse(presented.secret)
  // The checksum refuses a made-up secret before any look-up.
  if (secret === null || (secret && secret.prefix !== 'rcx')) throw invalidClient(presented.basic)
  const client = await findClient(system, presented.clientId)
  if (!client || !matches(client, secret?.hash)) throw invalidClient(presented.basic)
  return client
}

/** A public client sends no secret; a confidential one sends one that is still valid. */
function matches(client: Client, secretHash: string | undefined): boolean {
  if (secretHash === undefined) return client.type === 'public'
  return client.secretHashes.some((hash) => timingSafeEqual(utf8(hash), utf8(secretHash)))
}

const invalidClient = (basic: boolean): OAuthError =>
  new OAuthError(
    'invalid_client',
    'The client is unknown, or its authentication failed.',
    basic ? { 'WWW-Authenticate': 'Basic realm="Recollect"' } : {},
  )
