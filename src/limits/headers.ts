import type { LimitState } from '../core/ports.ts'

/** `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers: one item for each window charged. */
export function rateLimitHeaders(limits: readonly LimitState[]): Record<string, string> {
  if (limits.length === 0) return {}
  return {
    'RateLimit-Policy': limits.map((l) => `"${l.policy}";q=${l.limit};w=${l.windowSeconds}`).join(', '),
    RateLimit: limits.map((l) => `"${l.policy}";r=${l.remaining};t=${l.resetSeconds}`).join(', '),
  }
}
