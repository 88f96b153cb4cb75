import type { Key } from '../../identity/index.ts'
import type { Tone } from '../components/elements.tsx'

export const KEY_STATUS: Record<Key['status'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'ok' },
  rotating: { label: 'Ends soon', tone: 'warn' },
  expired: { label: 'Expired', tone: 'idle' },
  revoked: { label: 'Revoked', tone: 'idle' },
}

export const ENVIRONMENT: Record<Key['environment'], string> = { live: 'Production', test: 'Development' }
