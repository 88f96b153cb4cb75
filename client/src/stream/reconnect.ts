import { backoffMs, type Backoff } from '../backoff.ts'
import { RecollectError } from '../errors.ts'
import type { EventMessage } from '../events.ts'

/** What to do after a socket closes, by its close code (docs/realtime.md). */
export type AfterClose = { reconnectInMs: number } | { stopped: string }

export const CREDENTIAL_ENDED = 'the credential has ended'

/** The jitter spreads the clients of a restarted service. */
const RECONNECTS: Backoff = [500, 30_000, 0.5]

/** `failures` counts closes since the last successful connect, this one included. */
export function afterClose(code: number, failures: number, random: number): AfterClose {
  // The first 4401 asks for a fresh token: this one may have expired. The stream stops if its source returns the same.
  if (code === 4401 && failures > 1) return { stopped: CREDENTIAL_ENDED }
  if (code === 4403) return { stopped: 'the permission to listen was lost' }
  if (code === 4409) return { stopped: 'another connection with this client_id took over' }
  return { reconnectInMs: backoffMs(failures, RECONNECTS, random) }
}

/** The close code in the last frame of a socket that the service closes; null for any other message. */
export function closingCode({ type, data }: EventMessage): number | null {
  const code = type === 'system.status' && data['state'] === 'closing' ? data['code'] : null
  return typeof code === 'number' ? code : null
}

/** The credential has ended for good, or lacks a scope. */
export const isFinal = (error: unknown): boolean =>
  error instanceof RecollectError && [400, 401, 403].includes(error.status)
