import type { Key } from '../../identity/index.ts'
import { DAY_MS } from '../../core/values/durations.ts'

const STALE_DAYS = 90
const SOON_DAYS = 14

export interface Warning {
  short: string
  text: string
}

/** Warns its owner of a key of production that never expires, and of any that expires soon or that nobody uses. */
export function warningsOf(key: Key, now: number): Warning[] {
  if (key.status === 'expired' || key.status === 'revoked') return []
  const warnings: Warning[] = []
  const idleDays = Math.floor((now - Date.parse(key.last_used_at ?? key.created_at)) / DAY_MS)
  if (key.expires_at === null && key.environment === 'live') {
    warnings.push({
      short: 'Never expires',
      text: 'This key never expires. Rotate it from time to time, or replace it with a key that expires.',
    })
  } else if (key.expires_at !== null) {
    const leftDays = Math.ceil((Date.parse(key.expires_at) - now) / DAY_MS)
    if (leftDays <= SOON_DAYS)
      warnings.push({
        short: 'Expires soon',
        text: `This key expires in ${leftDays} ${leftDays === 1 ? 'day' : 'days'}. Rotate it before then.`,
      })
  }
  if (idleDays >= STALE_DAYS)
    warnings.push({
      short: 'Stale',
      text: `This key has not been used for ${idleDays} days. Revoke it if nothing needs it.`,
    })
  return warnings
}
