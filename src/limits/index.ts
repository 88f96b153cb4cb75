export { addressSubject } from './address-subject.ts'
export { RateLimiter, type Permit } from './rate-limiter.ts'
export {
  DEPLOYMENT,
  deploymentLimits,
  limitOf,
  variableLimits,
  type Account,
  type DeploymentLimits,
  type LimitSetting,
} from './limit-settings.ts'
export { inheritLimits } from './inherit.ts'
export { LIMITS_OF_USER, readLimits, settingsOf, type AccountLimits } from './read-settings.ts'
export { rateLimited, rateLimitHeaders } from './headers.ts'
