import type { RecollectEvent } from '../events.ts'
import type { SocketLike } from './socket.ts'

export interface ListenOptions<Event = RecollectEvent> {
  channels: readonly string[]
  /** Names this client. A reconnect then replaces an older connection that the service still holds. */
  clientId?: string
  /** The last event that an earlier run of the program handled. */
  lastEventId?: string
  /** Ends the stream. */
  signal?: AbortSignal
  /**
   * Without it the events wait for a `for await` over the stream. An event is handled once this returns, or once its promise
   * is fulfilled; several may be under way. Where it fails, the stream ends, and `lastEventId` stays before the event.
   */
  onEvent?: ((event: Event) => void) | ((event: Event) => Promise<void>)
  /** After each connect. `missed`: lost events cannot be replayed, so read the state again. `hint`: a channel may be misspelt. */
  onConnected?(state: { recovered: boolean; replayed: number; missed: boolean; hint: string | undefined }): void
  /** After each lost connection, and each attempt that failed. */
  onDisconnected?(state: { code: number; reconnectInMs: number }): void
  /** The stream has ended and does not reconnect. `failure`: of a callback, why no socket opens, or a `stream_ended`. */
  onStopped?(reason: string, failure?: unknown): void
}

export interface StreamDependencies {
  url: string
  /** The token; the one that follows `refused`; null where there is none. */
  token(refused?: string): Promise<string | null>
  /** A request with the credential: it refreshes one that has ended, and fails for one that is refused for good. */
  probe?: () => Promise<unknown>
  open?: (url: string, protocols: string[]) => SocketLike | Promise<SocketLike>
  sleep?: (ms: number) => Promise<void>
  random?: () => number
}
