import { AppError } from '../../core/errors.ts'
import type { Tokens } from '../../core/ports.ts'
import { sessionCookie } from '../pages/index.ts'
import { presentedIn, settlePresented, type Presented, type PresentedCredential } from './authenticate.ts'

/** The subprotocol that the service speaks, and the one in which a browser can carry a token. */
export const SUBPROTOCOL = 'recollect'
const BEARER_SUBPROTOCOL = 'bearer.'

/**
 * Reads the one credential of a WebSocket upgrade (contract §5): a header, the `token` parameter, the subprotocol
 * `bearer.<token>`, since a browser's WebSocket can set no header, or, for pages of our own origin and where there is
 * nothing else, the session's cookie. 426 for a request that asks for no upgrade.
 */
export async function authenticateUpgrade(
  request: Request,
  tokens: Tokens,
  issuer: string,
): Promise<PresentedCredential> {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    throw new AppError('upgrade_required', {
      detail: 'This address speaks WebSocket only.',
      headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
    })
  }
  const inQuery = new URL(request.url).searchParams.getAll('token')
  const inProtocol = subprotocols(request)
    .filter((one) => one.startsWith(BEARER_SUBPROTOCOL))
    .map((one) => one.slice(BEARER_SUBPROTOCOL.length))
  const presented = [
    ...presentedIn(request.headers),
    ...[...inQuery, ...inProtocol].map((token): Presented => ({ kind: null, token })),
  ]
  const ownPage = request.headers.get('origin') === new URL(request.url).origin
  const cookie = ownPage && presented.length === 0 ? sessionCookie(request.headers) : null
  return settlePresented(cookie === null ? presented : [{ kind: 'session', token: cookie }], tokens, issuer)
}

/** What the client offers to speak (RFC 6455 §4.1). */
export const subprotocols = (request: Request): string[] =>
  (request.headers.get('sec-websocket-protocol') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
