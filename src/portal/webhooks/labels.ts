import type { Subscription } from '../../events/index.ts'
import type { Tone } from '../components/elements.tsx'

export const SUBSCRIPTION_STATUS: Record<Subscription['status'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'ok' },
  paused: { label: 'Paused', tone: 'warn' },
  disabled: { label: 'Disabled', tone: 'danger' },
}

/** Why the service stopped sending, and the remedy. */
export const DISABLED_REASON: Record<NonNullable<Subscription['disabled_reason']>, string> = {
  gone: 'Your server answered 410: it wants no more. Fix the address, then resume.',
  failing:
    'For five days nothing but failures. Look at the last attempts, fix the cause, then resume: what waited goes out.',
  credential_ended: 'The key or app that made it has ended. Make a new webhook.',
}
