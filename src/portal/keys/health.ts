import type { Key } from '../../identity/index.ts'
import type { Tone } from '../parts/bits.tsx'

const DAY_MS = 86_400_000
const STALE_DAYS = 90
const SOON_DAYS = 14

export interface Warning {
  short: string
  text: string
}

/** What its owner should look at: keys that never expire, that nobody uses, that are about to end. */
export function warningsOf(key: Key, now: number): Warning[] {
  if (key.status === 'expired' || key.status === 'revoked') return []
  const warnings: Warning[] = []
  const idleDays = Math.floor((now - Date.parse(key.last_used_at ?? key.created_at)) / DAY_MS)
  if (key.expires_at === null) {
    warnings.push({
      short: 'Never expires',
      text: 'This key never expires. Rotate it now and then, or give it an end.',
    })
  } else {
    const leftDays = Math.ceil((Date.parse(key.expires_at) - now) / DAY_MS)
    if (leftDays <= SOON_DAYS)
      warnings.push({
        short: 'Expires soon',
        text: `This key expires in ${leftDays} ${leftDays === 1 ? 'day' : 'days'}. Rotate it before.`,
      })
  }
  if (idleDays >= STALE_DAYS)
    warnings.push({
      short: 'Stale',
      text: `Nobody has used this key for ${idleDays} days. Revoke it if nothing needs it.`,
    })
  return warnings
}

export const STATUS: Record<Key['status'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'ok' },
  rotating: { label: 'Ends soon', tone: 'warn' },
  expired: { label: 'Expired', tone: 'idle' },
  revoked: { label: 'Revoked', tone: 'idle' },
}

export const ENVIRONMENT: Record<Key['environment'], string> = { live: 'Production', test: 'Development' }
