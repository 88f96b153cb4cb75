import { AppError } from '../core/errors.ts'
import type { LimitState } from '../core/ports.ts'

/** `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers: one item for each permit asked for. */
export function rateLimitHeaders(limits: readonly LimitState[]): Record<string, string> {
  if (limits.length === 0) return {}
  return {
    'RateLimit-Policy': limits.map((l) => `"${l.policy}";q=${l.limit};w=${l.windowSeconds}`).join(', '),
    RateLimit: limits.map((l) => `"${l.policy}";r=${l.remaining};t=${l.resetSeconds}`).join(', '),
  }
}

/** The 429 of these limits; `retryAt` is the instant at which a permit is available. */
export const rateLimited = (limits: readonly LimitState[], retryAt: number, now: number): AppError =>
  new AppError('rate_limited', {
    detail: `Too many requests: ${limits.map((l) => `${l.limit} in ${l.windowSeconds} s (${l.policy})`).join(', ')}.`,
    headers: { ...rateLimitHeaders(limits), 'Retry-After': String(Math.max(1, Math.ceil((retryAt - now) / 1_000))) },
  })
