import type { Tone } from '../parts/bits.tsx'

/** A subscription as the API answers it (contract §5). */
export interface Subscription {
  subscription_id: string
  channels: string[]
  events: string[]
  filters: Record<string, string>
  delivery: { method: 'webhook'; url: string }
  created_at: string
  status: 'active' | 'paused' | 'disabled'
  disabled_reason?: 'gone' | 'failing' | 'credential_ended'
}

export interface Delivery {
  id: string
  subscription_id: string
  event_id: string
  event_type: string
  status: 'waiting' | 'pending' | 'sending' | 'delivered' | 'failed' | 'expired'
  attempts: number
  next_attempt_at: string | null
  last_status_code: number | null
  last_error: string | null
  created_at: string
  delivered_at: string | null
}

export const STATUS: Record<Subscription['status'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'ok' },
  paused: { label: 'Paused', tone: 'warn' },
  disabled: { label: 'Disabled', tone: 'danger' },
}

/** Why the service stopped sending, and what helps. */
export const DISABLED: Record<NonNullable<Subscription['disabled_reason']>, string> = {
  gone: 'Your server answered 410: it wants no more. Fix the address, then resume.',
  failing:
    'For five days nothing but failures. Look at the last attempts, fix the cause, then resume: what waited goes out.',
  credential_ended: 'The key or app that made it has ended. Make a new webhook.',
}

export const DELIVERY_STATUS: Record<Delivery['status'], { label: string; tone: Tone }> = {
  waiting: { label: 'Held', tone: 'warn' },
  pending: { label: 'Due', tone: 'accent' },
  sending: { label: 'Sending', tone: 'accent' },
  delivered: { label: 'Delivered', tone: 'ok' },
  failed: { label: 'Failed', tone: 'danger' },
  expired: { label: 'Expired', tone: 'danger' },
}
