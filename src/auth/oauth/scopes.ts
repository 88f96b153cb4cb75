import { SCOPES, type Scope } from '../../core/context.ts'
import { OAuthError } from '../../core/http/oauth-error.ts'

/** What each scope lets an application do, as the consent page says it. */
export const SCOPE_TEXTS: Record<Scope, string> = {
  'read:memory': 'Read and search your memories',
  'write:memory': 'Store, change and delete memories for you',
  'read:projects': 'See your projects, workspaces and their members',
  'write:projects': 'Create, change and delete your projects and workspaces',
  'read:profile': 'See your name, e-mail address and settings',
  'write:profile': 'Change your profile and settings',
  'read:events': 'Receive live events from your projects',
  'write:events': 'Publish events and set up notifications for you',
  'read:audit': 'Read the log of who accessed what',
  'admin:workspace': 'Manage members, roles and API keys of your workspaces',
}

/** The scopes that an application without an owner may get. Only an application of a user may manage workspaces. */
export const OPEN_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'admin:workspace')

const KNOWN: ReadonlySet<string> = new Set(SCOPES)
const isScope = (name: string): name is Scope => KNOWN.has(name)

/** It is ignored: every code grant comes with a refresh token (contract §2). */
const OFFLINE_ACCESS = 'offline_access'
/** The other scopes of OpenID Connect, which agents ask of every server (OpenID Connect Core §3.1.2.1, §5.4). */
const OPENID_SCOPES: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'address', 'phone'])

const namesIn = (text = ''): Set<string> =>
  new Set(text.split(/[ +]+/).filter((name) => name !== '' && name !== OFFLINE_ACCESS))

/**
 * The scopes that a request names, separated by spaces or plus signs: each once, in the order of `SCOPES`.
 * Null where one is unknown; `[]` where the list is absent or empty.
 */
export function parseScopes(text: string | undefined): Scope[] | null {
  const names = namesIn(text)
  if (![...names].every(isScope)) return null
  return SCOPES.filter((scope) => names.has(scope))
}

/**
 * The scopes that an application without an owner asks for: unknown ones and those beyond `most` are dropped, since agents ask
 * for all that they find. Null where none is left; `[]` where the list is absent, empty, or names OpenID scopes alone.
 */
export function grantableScopes(text: string | undefined, most: readonly Scope[]): Scope[] | null {
  const names = new Set([...namesIn(text)].filter((name) => !OPENID_SCOPES.has(name)))
  const granted = most.filter((scope) => names.has(scope))
  return granted.length === 0 && names.size > 0 ? null : granted
}

export const formatScopes = (scopes: readonly Scope[]): string => scopes.join(' ')

export const isSubset = (scopes: readonly Scope[], of: readonly Scope[]): boolean =>
  scopes.every((scope) => of.includes(scope))

export const scopeNotGranted = (): OAuthError => new OAuthError('invalid_scope', 'The scope exceeds what was granted.')

/** The granted scopes that the application still has; `invalid_scope` where there is none. */
export function remainingScopes(granted: readonly Scope[], client: { scopes: readonly Scope[] }): readonly Scope[] {
  const remaining = granted.filter((scope) => client.scopes.includes(scope))
  if (remaining.length === 0) throw scopeNotGranted()
  return remaining
}
