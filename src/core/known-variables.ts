import { LOCAL_ONLY } from './local-only-variables.ts'
import { nearName } from './values/near-name.ts'

/** The variables and secrets that somebody may set (docs/operations.md). */
const KNOWN = LOCAL_ONLY.concat(
  [
    'ENVIRONMENT',
    'SIGNUPS',
    'CLIENT_REGISTRATION',
    'PUBLIC_ORIGIN',
    'PUBLIC_HOSTS',
    'DATA_REGION',
    'LOG_REQUESTS',
    'CLOSED_SHARDS',
    'SHARD_REGIONS',
  ],
  ['AUDIT_RETENTION_DAYS', 'EXACT_TIER_MAX', 'VECTOR_CACHE_MB', 'QUOTA_ITEMS', 'QUOTA_PROJECTS'],
  ['EMBEDDER', 'EMBEDDINGS_URL', 'EMBEDDINGS_MODEL', 'EMBEDDINGS_DIMENSION', 'EMBEDDINGS_BATCH', 'EMBEDDINGS_KEY'],
  ['WORKERS_AI_MODEL', 'WORKERS_AI_DIMENSION', 'RERANK_URL', 'RERANK_MODEL', 'RERANK_KEY'],
  ['TOKEN_KEYS', 'PASSWORD_PEPPERS', 'DATA_KEYS', 'OPERATOR_KEYS', 'METRICS_TOKEN', 'LIMITS', 'SERVICE_ACCOUNT_LIMITS'],
)

/** Old names that still work, and the new ones. */
const RENAMED: Record<string, string> = {
  EMBEDDING_MODEL: 'WORKERS_AI_MODEL',
  EMBEDDING_DIMENSION: 'WORKERS_AI_DIMENSION',
}

/** Warnings for the operator about the names of the variables that are set: old names, and names that look misspelt. */
export function noticesOf(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const renamed = RENAMED[name]
    if (renamed !== undefined) return [`${name} is now called ${renamed}; the old name still works`]
    if (KNOWN.includes(name)) return []
    const meant = nearName(name, KNOWN)
    return meant === null ? [] : [`${name} is not a variable of the service. Did you mean ${meant}?`]
  })
}
