import { HOUR_MS, MINUTE_MS, SECOND_MS } from './values/durations.ts'

/** One rate limit of contract §6. */
export interface Limit {
  /** Permits in any window of `windowMs`. */
  limit: number
  windowMs: number
  per: 'user' | 'key' | 'client' | 'ip' | 'account' | 'source' | 'subscription' | 'connection'
}

/** Every rate limit of contract §6. */
export const LIMITS = {
  'memory.store': { limit: 10, windowMs: SECOND_MS, per: 'user' },
  'memory.retrieve': { limit: 20, windowMs: SECOND_MS, per: 'user' },
  'memory.search': { limit: 5, windowMs: SECOND_MS, per: 'user' },
  'memory.batch': { limit: 2, windowMs: SECOND_MS, per: 'user' },
  // One permit for each 20 messages.
  'memory.ingest': { limit: 5, windowMs: SECOND_MS, per: 'user' },
  'oauth.token': { limit: 10, windowMs: MINUTE_MS, per: 'client' },
  'oauth.token.unauthenticated': { limit: 10, windowMs: MINUTE_MS, per: 'ip' },
  'api-key': { limit: 5, windowMs: SECOND_MS, per: 'key' },
  // Registrations of applications (RFC 7591), and fetches of metadata documents of applications.
  'oauth.register': { limit: 20, windowMs: HOUR_MS, per: 'ip' },
  'oauth.register.burst': { limit: 10, windowMs: MINUTE_MS, per: 'ip' },
  'oauth.document': { limit: 10, windowMs: MINUTE_MS, per: 'ip' },
  login: { limit: 5, windowMs: MINUTE_MS, per: 'ip' },
  // Wrong passwords of one account from one device or network, or within its live sessions.
  password: { limit: 10, windowMs: 10 * MINUTE_MS, per: 'source' },
  'password.hour': { limit: 30, windowMs: HOUR_MS, per: 'source' },
  // Wrong passwords of one account from all devices and networks together that never logged in to it.
  'login.unknown': { limit: 30, windowMs: HOUR_MS, per: 'account' },
  'events.publish': { limit: 20, windowMs: MINUTE_MS, per: 'user' },
  // Refused publications and creations of subscriptions, and the audit rows of what this limit refuses.
  'events.refused': { limit: 60, windowMs: MINUTE_MS, per: 'user' },
  'events.refused.audit': { limit: 1, windowMs: MINUTE_MS, per: 'user' },
  'events.subscribe': { limit: 10, windowMs: HOUR_MS, per: 'user' },
  'events.delivery': { limit: 100, windowMs: MINUTE_MS, per: 'subscription' },
  'events.socket': { limit: 100, windowMs: 10 * SECOND_MS, per: 'connection' },
  read: { limit: 20, windowMs: SECOND_MS, per: 'user' },
  write: { limit: 10, windowMs: SECOND_MS, per: 'user' },
  anonymous: { limit: 60, windowMs: MINUTE_MS, per: 'ip' },
  operator: { limit: 60, windowMs: MINUTE_MS, per: 'ip' },
  // Calls of operator paths without a right key. They use up nothing of an operator at the same address.
  'operator.refused': { limit: 10, windowMs: MINUTE_MS, per: 'ip' },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMITS

/** Open WebSocket connections of one user at once, and operations in one batch: counts, not rates. */
export const MAX_SOCKETS = 10
export const MAX_BATCH_OPERATIONS = 50

/** A limit as this deployment applies it. */
export function limitFor(name: LimitName, factor: number): Limit {
  const limit = LIMITS[name]
  return { ...limit, limit: limit.limit * factor }
}

/** Limits that outlive a restart of the object that counts them (contract §6). */
export const isDurable = (limit: Pick<Limit, 'windowMs'>): boolean => limit.windowMs >= MINUTE_MS
