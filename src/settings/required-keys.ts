import { Misconfigured } from '../core/misconfigured.ts'
import type { KeyRing } from '../core/values/key-ring.ts'
import { KEY_RING_FORM } from './parsers.ts'
import type { Settings } from './read-settings.ts'

type Required = 'TOKEN_KEYS' | 'PASSWORD_PEPPERS' | 'DATA_KEYS'

/** A key ring that every deployment has. Throws `Misconfigured` without it. */
export function requiredKeys<Name extends Required>(settings: Pick<Settings, Name>, name: Name): KeyRing {
  const ring: KeyRing | null = settings[name]
  if (ring) return ring
  throw new Misconfigured(`${name} ${KEY_RING_FORM}`)
}
