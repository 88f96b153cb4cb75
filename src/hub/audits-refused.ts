import type { LimitState } from '../core/ports.ts'
import type { RateLimiter } from '../limits/index.ts'

/**
 * Whether a call past its limits is audited: only where it is past the limit on refused calls, and then once a minute.
 * Such calls must not fill the audit log.
 */
export function auditsRefused(
  limiter: RateLimiter,
  subject: string,
  limits: readonly LimitState[],
  now: number,
): boolean {
  const reached = limits.some(({ policy, remaining }) => policy === 'events.refused' && remaining === 0)
  return reached && limiter.acquire([{ name: 'events.refused.audit', subject }], now).admitted
}
