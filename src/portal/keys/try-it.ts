import type { Scope } from '../../core/context.ts'
import { SAMPLE_QUESTION, SAMPLE_TEXT } from '../../core/sample.ts'
import type { Key } from '../../identity/index.ts'
import { requestSnippets, type SampleRequest, type Snippet } from '../snippets/requests.ts'

/** A request that works with this key: its scopes and permissions allow it. */
export function tryIt(origin: string, key: Pick<Key, 'scopes' | 'permissions'>, secret: string): Snippet[] {
  const project = key.permissions && key.permissions.length > 1 ? key.permissions[0]?.project_id : undefined
  const context = project ? { context: { project_id: project } } : {}
  const writable = key.permissions === null || key.permissions[0]?.access === 'write'
  if (key.scopes.includes('write:memory') && writable) {
    const body = { content: SAMPLE_TEXT, ...context }
    return requestSnippets(origin, { path: '/api/memory/store', call: 'memory.store', body }, secret)
  }
  if (key.scopes.includes('read:memory')) {
    const body = { query: SAMPLE_QUESTION, ...context }
    return requestSnippets(origin, { path: '/api/memory/search', call: 'memory.search', body }, secret)
  }
  const [, request] = OTHERS.find(([scope]) => key.scopes.includes(scope)) ?? OTHERS[0]
  return requestSnippets(origin, request, secret)
}

/** A request for each scope but those of memory: reads come first. */
export const OTHERS: readonly [readonly [Scope, SampleRequest], ...(readonly [Scope, SampleRequest])[]] = [
  ['read:projects', { path: '/v1/projects', call: 'projects.list' }],
  ['read:profile', { path: '/api/users/me', call: 'me.retrieve' }],
  ['read:events', { path: '/api/events/subscriptions', call: 'subscriptions.list' }],
  ['read:audit', { path: '/v1/audit', call: 'audit.list' }],
  ['admin:workspace', { path: '/v1/api-keys', call: 'keys.list' }],
  [
    'write:events',
    {
      path: '/api/events/publish',
      call: 'events.publish',
      body: { type: 'message.new', data: { conversation_id: 'demo', text: 'Hello' } },
    },
  ],
  ['write:projects', { path: '/v1/workspaces', call: 'workspaces.create', body: { name: 'Support team' } }],
  [
    'write:profile',
    { method: 'PATCH', path: '/api/users/me', call: 'me.update', body: { settings: { theme: 'system' } } },
  ],
]
