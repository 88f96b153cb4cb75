import type { Scope } from '../../core/context.ts'

/** What each scope lets a key do, in plain words. */
export const SCOPE_WORDS: Record<Scope, { label: string; hint: string }> = {
  'read:memory': { label: 'Read memories', hint: 'Retrieve, search, list, export' },
  'write:memory': { label: 'Write memories', hint: 'Store, change, delete, import' },
  'read:projects': { label: 'See projects', hint: 'Projects, workspaces and their members' },
  'write:projects': { label: 'Change projects', hint: 'Create, rename, delete' },
  'read:profile': { label: 'See the profile', hint: 'Name, address, settings' },
  'write:profile': { label: 'Change the profile', hint: 'Name and settings' },
  'read:events': { label: 'Receive events', hint: 'WebSocket, subscriptions, deliveries' },
  'write:events': { label: 'Send events and manage webhooks', hint: 'Publish, create and change subscriptions' },
  'read:audit': { label: 'Read audit log and usage', hint: 'Who did what, how often' },
  'admin:workspace': { label: 'Administer workspaces', hint: 'Members, roles, system events, further keys' },
}

/** What a new key can do unless its maker says otherwise. */
export const USUAL_SCOPES: readonly Scope[] = ['read:memory', 'write:memory']
