import { homedir } from 'node:os'
import { join } from 'node:path'

const NAME = 'recollect'

/** XDG Base Directory Specification: a relative path counts as unset. */
function baseFolder(env: NodeJS.ProcessEnv, variable: string, fallback: string): string {
  const named = env[variable] ?? ''
  if (named.startsWith('/') || /^[A-Za-z]:[\\/]/.test(named)) return named
  return join(env['HOME'] ?? homedir(), fallback)
}

const configFolder = (env: NodeJS.ProcessEnv): string => join(baseFolder(env, 'XDG_CONFIG_HOME', '.config'), NAME)

/** Logins and signing secrets. */
export const credentialsPath = (env: NodeJS.ProcessEnv): string => join(configFolder(env), 'credentials.json')

/** The progress of imports and exports. It holds no secret. */
export const statePath = (env: NodeJS.ProcessEnv, ...names: string[]): string =>
  join(baseFolder(env, 'XDG_STATE_HOME', join('.local', 'state')), NAME, ...names)
