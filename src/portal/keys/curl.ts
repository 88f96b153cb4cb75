import type { Key } from '../../identity/index.ts'

export const SAMPLE_TEXT = 'Ada prefers tea over coffee.'

/** A command line that works with this key: a request that its scopes and permissions allow. */
export function curlOf(origin: string, key: Pick<Key, 'scopes' | 'permissions'>, secret: string): string {
  const project = key.permissions && key.permissions.length > 1 ? key.permissions[0]?.project_id : undefined
  const context = project ? { context: { project_id: project } } : {}
  const writable = key.permissions === null || key.permissions[0]?.access === 'write'
  if (key.scopes.includes('write:memory') && writable)
    return post(origin, '/api/memory/store', secret, { content: SAMPLE_TEXT, ...context })
  if (key.scopes.includes('read:memory'))
    return post(origin, '/api/memory/search', secret, { query: 'What does Ada drink?', ...context })
  return `curl ${origin}${PATHS.find(([scope]) => key.scopes.includes(scope))?.[1] ?? '/v1/projects'} \\\n  -H 'X-API-Key: ${secret}'`
}

const PATHS = [
  ['read:projects', '/v1/projects'],
  ['write:projects', '/v1/projects'],
  ['read:profile', '/api/users/me'],
  ['read:events', '/api/events/subscriptions'],
  ['read:audit', '/v1/audit'],
  ['admin:workspace', '/v1/api-keys'],
] as const

const post = (origin: string, path: string, secret: string, body: unknown): string =>
  `curl ${origin}${path} \\\n  -H 'X-API-Key: ${secret}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`
