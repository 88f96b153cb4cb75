import type { Subscription } from '../../events/index.ts'
import type { Tone } from '../components/elements.tsx'

export const SUBSCRIPTION_STATUS: Record<Subscription['status'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'ok' },
  paused: { label: 'Paused', tone: 'warn' },
  disabled: { label: 'Disabled', tone: 'danger' },
}

/** Why the service stopped sending, and the remedy. */
export const DISABLED_REASON: Record<NonNullable<Subscription['disabled_reason']>, string> = {
  gone: 'Your server responded with 410: it does not want any more events. Fix the address, then resume.',
  failing:
    'Every attempt failed for five days. Look at the last attempts, fix the cause, then resume: waiting deliveries are sent.',
  credential_ended: 'The key or app that created it has ended. Create a new webhook.',
}
