import { AppError } from '../core/errors.ts'
import type { LimitState } from '../core/ports.ts'
import { LIMITS, type Limit, type LimitName } from '../core/limits.ts'

/** `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers: one item for each permit asked for. */
export function rateLimitHeaders(limits: readonly LimitState[]): Record<string, string> {
  if (limits.length === 0) return {}
  return {
    'RateLimit-Policy': limits.map((l) => `"${l.policy}";q=${l.limit};w=${l.windowSeconds}`).join(', '),
    RateLimit: limits.map((l) => `"${l.policy}";r=${l.remaining};t=${l.resetSeconds}`).join(', '),
  }
}

/** The 429 of these limits: `detail` names those that refused. `retryAt` is the instant at which a permit is available. */
export function rateLimited(limits: readonly LimitState[], retryAt: number, now: number): AppError {
  const seconds = Math.max(1, Math.ceil((retryAt - now) / 1_000))
  const hit = limits.some(({ exceeded }) => exceeded) ? limits.filter(({ exceeded }) => exceeded) : limits
  return new AppError('rate_limited', {
    detail: `Too many requests: at most ${hit.map(inWords).join(', and ')}. Try again in ${seconds} s.`,
    headers: { ...rateLimitHeaders(limits), 'Retry-After': String(seconds) },
  })
}

const inWords = ({ policy, limit, windowSeconds }: LimitState): string =>
  `${limit} in ${windowSeconds} s per ${WHOSE[LIMITS[policy as LimitName].per]} (${policy})`

const WHOSE: Record<Limit['per'], string> = {
  user: 'user',
  key: 'API key',
  client: 'application',
  ip: 'IP address',
  account: 'account',
  source: 'device or network',
  subscription: 'subscription',
  connection: 'connection',
}
