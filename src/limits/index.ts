export { addressSubject, limiterClient } from './limiter.client.ts'
export { RateLimiter, type Permit } from './rate-limiter.ts'
export {
  LIMITS,
  MAX_BATCH_OPERATIONS,
  MAX_SOCKETS,
  limitFor,
  limitsFactor,
  type Limit,
  type LimitName,
} from './policy.ts'
export { rateLimited, rateLimitHeaders } from './headers.ts'
