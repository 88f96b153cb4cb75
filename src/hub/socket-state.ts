import type { CredentialFacts } from './credential-cache.ts'

/** The attachment of a socket, which survives hibernation. It is far below the platform's 16 KiB. */
export interface SocketState {
  connectionId: string
  /** At most one open connection has a certain client id. */
  clientId: string | null
  credential: CredentialFacts
  /** Messages with an `id` sent on this connection, the first frame included. */
  sent: number
  /** How many of them came with the upgrade: the first frame and missed events. */
  replayed: number
  /** How many of the sent ones the client says it has processed; null before its first acknowledgement. */
  acknowledged: number | null
}

/** Whether one more connection fits. A connection of the same client id does not count, because the new one replaces it. */
export function fits(present: readonly { clientId: string | null }[], clientId: string | null, max: number): boolean {
  const others = present.filter((one) => clientId === null || one.clientId !== clientId)
  return others.length < max
}

/** The count never falls and never exceeds what was sent. */
export const acknowledge = (state: SocketState, received: number): SocketState => ({
  ...state,
  acknowledged: Math.max(state.acknowledged ?? 0, Math.min(received, state.sent)),
})
