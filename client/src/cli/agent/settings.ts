import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { configPath } from '../config/paths.ts'
import { orMissing, readPrivate } from '../config/private-file.ts'
import { upwards, type Repository } from './repository.ts'

/** Whether the hooks remember in a place. `share` is the project whose members read it; without it only its creator does. */
export interface Place {
  on: boolean
  share?: string
}

/** What the hooks need to know. `recollect agent` writes it. */
export interface AgentSettings {
  version: 1
  /** The deployment that turns go to; null before the first `install`. */
  url: string | null
  /** Where no folder says otherwise. */
  everywhere: Place
  /** By absolute path. A folder counts for all below it. */
  folders: Record<string, Place>
}

/** The variable that turns the hooks off. */
export const SWITCH = 'RECOLLECT_AGENT'
/** The file that turns them off for its folder and all below it. */
export const IGNORE_FILE = '.recollectignore'

export const settingsPath = (env: NodeJS.ProcessEnv): string => configPath(env, 'agents.json')

/** Fails for a file that is not of this version: nothing is sent on a guess. */
export async function readSettings(env: NodeJS.ProcessEnv): Promise<AgentSettings> {
  const text = await readPrivate(settingsPath(env))
  if (text === null) return { version: 1, url: null, everywhere: { on: false }, folders: {} }
  const value = JSON.parse(text) as Partial<AgentSettings> | null
  if (value?.version === 1 && typeof value.everywhere === 'object' && typeof value.folders === 'object')
    return value as AgentSettings
  throw new Error(`${settingsPath(env)} was not written by this version of the command line.`)
}

export const REASONS = {
  variable: `${SWITCH} is off`,
  ignored: `${IGNORE_FILE} is in this folder or above it`,
  'no repository': 'it is not in a git repository',
  disabled: 'it is not enabled',
} as const

export type Decision = { on: true; share: string | null } | { on: false; why: keyof typeof REASONS }

/** Whether the hooks remember in a folder. The nearest folder that was enabled or disabled decides. */
export async function decide(
  { everywhere, folders }: AgentSettings,
  env: NodeJS.ProcessEnv,
  folder: string,
  repository: Repository | null,
): Promise<Decision> {
  if (/^(off|0|no|false)$/i.test(env[SWITCH] ?? '')) return { on: false, why: 'variable' }
  if (!repository) return { on: false, why: 'no repository' }
  // A worktree may be anywhere: it follows the folder that it belongs to.
  const places = [...upwards(await realpath(folder)), ...upwards(repository.root)]
  const ignored = await Promise.all(places.map((place) => exists(join(place, IGNORE_FILE))))
  if (ignored.includes(true)) return { on: false, why: 'ignored' }
  const place = places.map((path) => folders[path]).find((each) => each !== undefined) ?? everywhere
  return place.on ? { on: true, share: place.share ?? null } : { on: false, why: 'disabled' }
}

const exists = async (path: string): Promise<boolean> => (await orMissing(stat(path))) !== null
