import { AppError } from '../../core/errors.ts'
import type { Tokens } from '../../core/ports.ts'
import type { CalledResource } from '../oauth/resources.ts'
import { sessionCookie } from '../pages/index.ts'
import { credentialsIn, requireOneCredential, type PresentedCredential } from './authenticate.ts'
import type { RawCredential } from './remedy.ts'

/** The subprotocol that the service speaks. */
export const SUBPROTOCOL = 'recollect'
/** A browser carries its token in a subprotocol, since its WebSocket sets no header. */
const BEARER_SUBPROTOCOL = 'bearer.'

/**
 * Reads the one credential of a WebSocket upgrade (contract §5): from a header, the `token` parameter or the subprotocol
 * `bearer.<token>`. A page of our own origin that sends none of these is known by its session cookie.
 * 426 for a request that asks for no upgrade.
 */
export async function authenticateUpgrade(
  request: Request,
  tokens: Tokens,
  called: CalledResource,
): Promise<PresentedCredential> {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    throw new AppError('upgrade_required', {
      detail: 'This address accepts WebSocket connections only.',
      headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
    })
  }
  const inQuery = new URL(request.url).searchParams.getAll('token')
  const inProtocol = subprotocols(request)
    .filter((one) => one.startsWith(BEARER_SUBPROTOCOL))
    .map((one) => one.slice(BEARER_SUBPROTOCOL.length))
  const credentials = [
    ...credentialsIn(request.headers, called),
    ...[...inQuery, ...inProtocol].map((token): RawCredential => ({ kinds: null, token })),
  ]
  const ownPage = request.headers.get('origin') === new URL(request.url).origin
  const cookie = ownPage && credentials.length === 0 ? sessionCookie(request.headers) : null
  return requireOneCredential(cookie === null ? credentials : [{ kinds: ['session'], token: cookie }], tokens, called)
}

/** The subprotocols that the client offers (RFC 6455 §4.1). */
export const subprotocols = (request: Request): string[] =>
  (request.headers.get('sec-websocket-protocol') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
