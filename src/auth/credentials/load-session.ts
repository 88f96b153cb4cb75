import { SCOPES } from '../../core/context.ts'
import { credentialLoader, USER_OF_CREDENTIAL } from './credential.ts'

const BY_HASH = `
  select s.id, ${USER_OF_CREDENTIAL}, min(s.expires_at, coalesce(s.revoked_at, s.expires_at)) as ends_at
  from sessions s join users u on u.id = s.user_id and u.deleted_at is null
  where s.token_hash = :token_hash`

/** A session has all scopes; the roles of its user limit it (contract §2). */
export const loadSession = credentialLoader(BY_HASH, () => ({ kind: 'session', scopes: SCOPES }))
