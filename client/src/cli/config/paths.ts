import { homedir } from 'node:os'
import { join } from 'node:path'

const NAME = 'recollect'

/** XDG Base Directory Specification: a relative path counts as unset. */
export function baseFolder(env: NodeJS.ProcessEnv, variable: string, fallback: string): string {
  const named = env[variable] ?? ''
  if (named.startsWith('/') || /^[A-Za-z]:[\\/]/.test(named)) return named
  return join(env['HOME'] ?? homedir(), fallback)
}

export const configPath = (env: NodeJS.ProcessEnv, ...names: string[]): string =>
  join(baseFolder(env, 'XDG_CONFIG_HOME', '.config'), NAME, ...names)

/** Logins and signing secrets. */
export const credentialsPath = (env: NodeJS.ProcessEnv): string => configPath(env, 'credentials.json')

/** The progress of imports and exports, and what the hooks of coding agents have not sent yet. */
export const statePath = (env: NodeJS.ProcessEnv, ...names: string[]): string =>
  join(baseFolder(env, 'XDG_STATE_HOME', join('.local', 'state')), NAME, ...names)
