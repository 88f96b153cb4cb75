import type { CredentialFacts } from './credential-cache.ts'

/** Events that a client may leave unacknowledged once it acknowledges at all (contract §5). */
export const MAX_UNACKNOWLEDGED = 1_000

/** What survives hibernation with a socket: its attachment, far below the platform's 16 KiB. */
export interface SocketState {
  connectionId: string
  /** Only one open connection has a given one. */
  clientId: string | null
  credential: CredentialFacts
  /** Messages with an `id` sent on this connection, the first frame included. */
  sent: number
  /** How many of them followed the upgrade at once: first frame, what was missed. */
  replayed: number
  /** How many of those sent the client says it has dealt with; null while it never said so. */
  acknowledged: number | null
}

/** Whether one more connection fits. One that will be replaced (same client id) leaves its place to the new one. */
export function hasPlace(held: readonly { clientId: string | null }[], clientId: string | null, max: number): boolean {
  const others = held.filter((one) => clientId === null || one.clientId !== clientId)
  return others.length < max
}

/**
 * Only a client that acknowledges can fall behind: of another, nothing tells how far it has read. What a resume sent at
 * once is not held against it: it may be more than the bound itself, and closing would send all of it again.
 */
export const isBehind = ({ sent, replayed, acknowledged }: Pick<SocketState, 'sent' | 'replayed' | 'acknowledged'>) =>
  acknowledged !== null && sent - Math.max(acknowledged, replayed) >= MAX_UNACKNOWLEDGED

/** Counts never go back, and nobody acknowledges what was not sent. */
export const acknowledge = (state: SocketState, received: number): SocketState => ({
  ...state,
  acknowledged: Math.max(state.acknowledged ?? 0, Math.min(received, state.sent)),
})
