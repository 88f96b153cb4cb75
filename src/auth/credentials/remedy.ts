import type { CredentialKind } from '../../core/context.ts'
import { TOKEN_PREFIXES, type TokenPrefix } from '../../core/values/token-prefix.ts'

/** A credential as the client sent it, not checked yet. */
export interface RawCredential {
  /** The kinds that its header takes; null: any kind. */
  kinds: readonly CredentialKind[] | null
  /** null: the header has not even the form of a token. */
  token: string | null
}

export const KIND_OF: Partial<Record<TokenPrefix, CredentialKind>> = {
  rck_live: 'key',
  rck_test: 'key',
  rca: 'access',
  rcs: 'session',
}

/** What a client with a credential of this kind does about a 401. It tells nothing of the credential itself. */
const REMEDIES: Record<CredentialKind, string> = {
  key: 'The API key is unknown here, revoked or expired. A key begins with rck_live_ or rck_test_ and works only with the service that created it.',
  access:
    'The access token is unknown here, revoked, expired or for another resource. Refresh it at POST /auth/token, or ask the user again.',
  session: 'The session token is unknown here, revoked or expired. Log in again at POST /auth/login.',
}

const HEADERS: Record<CredentialKind, string> = {
  key: 'This is an API key: send it in the header X-API-Key.',
  access: 'This is an access token: send it as Authorization: Bearer.',
  session: 'This is a session token: send it in the header X-Session-Token.',
}

/** Tokens of ours that authenticate no request. */
const OTHERS: Partial<Record<TokenPrefix, string>> = {
  rcr: 'This is a refresh token: exchange it at POST /auth/token for an access token.',
  rcd: 'This is a device token, which is not a credential: log in at POST /auth/login.',
  rcx: 'This is a client secret: it authenticates an application at POST /auth/token.',
  rcc: 'This is an authorization code: exchange it at POST /auth/token for an access token.',
}

export const remedyOf = (kind: CredentialKind): string => REMEDIES[kind]

/** The same by what the client sent: the header, and how the token begins. */
export function remedyFor({ kinds, token }: RawCredential): string {
  if (token === null) return 'The Authorization header must be: Bearer, a space, the access token.'
  if (token === '') return 'The credential is empty.'
  const prefix = TOKEN_PREFIXES.find((one) => token.startsWith(`${one}_`))
  const kind = prefix === undefined ? kinds?.[0] : KIND_OF[prefix]
  if (kind !== undefined) return kinds === null || kinds.includes(kind) ? REMEDIES[kind] : HEADERS[kind]
  return (prefix && OTHERS[prefix]) ?? 'The credential is unknown here, revoked or expired.'
}
