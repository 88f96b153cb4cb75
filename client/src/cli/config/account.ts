import { fingerprint } from '../fingerprint.ts'
import type { Deployment } from './credentials.ts'

/**
 * Whose login it is, without a request; null after a logout. A user who logs in again is the same account, and a login that
 * has ended by itself is still theirs.
 */
export const accountOf = ({ user, api_key, oauth, client_id }: Deployment): string | null =>
  user?.id ?? (api_key === undefined ? ((oauth && client_id) ?? null) : fingerprint(api_key))
