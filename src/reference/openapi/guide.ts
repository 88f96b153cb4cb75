import type { Scope } from '../../core/context.ts'
import { firstCalls } from '../first-calls.ts'
import { installLines } from './install-lines.ts'

/** What each scope allows, for developers (contract §2). */
export const SCOPE_DESCRIPTIONS: Record<Scope, string> = {
  'read:memory': 'Retrieve, search, list and export memories',
  'write:memory': 'Store, update, delete and import memories',
  'read:projects': 'See projects, workspaces and members',
  'write:projects': 'Create and change projects and workspaces',
  'read:profile': 'See the profile of the user',
  'write:profile': 'Change the profile of the user',
  'read:events': 'Listen to events; see subscriptions and deliveries',
  'write:events': 'Publish events; create and change subscriptions',
  'read:audit': 'See the audit log and the usage',
  'admin:workspace': 'Manage members, roles and API keys; publish system events',
}

/** The sections of the reference, in reading order. */
export const TAGS = [
  { name: 'memory', description: 'Store texts, find them by meaning and by keyword.' },
  { name: 'events', description: 'Publish, subscribe, and see each delivery.' },
  { name: 'api-keys', description: 'Create, rotate and revoke API keys.' },
  { name: 'projects', description: 'Projects keep memories separate.' },
  { name: 'workspaces', description: 'Workspaces hold projects.' },
  { name: 'members', description: 'Who belongs to a workspace, and in which role.' },
  { name: 'users', description: 'The signed-in user.' },
  { name: 'audit', description: 'Who did what, and how much.' },
  { name: 'sessions', description: 'Sign in and out.' },
  { name: 'auth', description: 'OAuth 2.1.' },
  { name: 'apps', description: 'OAuth applications.' },
  { name: 'grants', description: 'Access that users granted to applications.' },
  { name: 'operator', description: 'Limits, for the operator of the deployment.' },
  { name: 'service', description: 'Health, readiness and documents.' },
]

/** The introduction of the document of the service at `origin`. */
export const guide = (
  origin: string,
): string => `Recollect stores texts and finds them again, by meaning and by keyword.

**Start with an API key.** Create one in the [portal](/portal) under API Keys, put it into these commands and run them. The question and its answer have no words in common.

\`\`\`sh
${firstCalls(origin)}
\`\`\`

**Install a client**, for TypeScript or Python, in the version that this service serves:

\`\`\`sh
${installLines(origin).npm}
${installLines(origin).pip}
\`\`\`

**Authentication.** Every call carries exactly one credential: an API key (\`X-API-Key\`) from service to service, an OAuth 2.1 access token (\`Authorization: Bearer\`, recommended on behalf of a user) or a session token (\`X-Session-Token\`). Request only the scopes that you need, refresh tokens when they expire, and keep secrets out of client-side code.

**Memories.** Give each a \`context\` and \`tags\`, and a \`ttl\` unless it should live forever. Keyword search finds an item immediately, semantic search as soon as its \`embedding_status\` is \`completed\`: check it before you rely on a semantic search.

**Events.** Delivery is at least once, so process events idempotently by \`id\`. Reconnect WebSockets with back-off. Webhooks are signed and use HTTPS. See [every event](/api-reference/events), or the [AsyncAPI document](/api-reference/asyncapi.json).

**Errors** are [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) problem details with a closed set of codes: [what each one means and what to do](/api-reference/errors).

**Safe retries.** Send an \`Idempotency-Key\` with every POST that creates something. Honour \`Retry-After\` on 429 and 503.

**Clients.** Call this API directly. The older pattern, in which a web page accesses memory through an object on its \`window\`, is deprecated.

**Versions.** Within a version we only add things: ignore fields, event types and enum values that you do not know.`
