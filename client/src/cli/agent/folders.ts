import { realpath } from 'node:fs/promises'
import type { Io } from '../io.ts'
import { withLock } from '../config/lock.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { isMissing, writePrivate } from '../config/private-file.ts'
import { repositoryOf } from './repository.ts'
import { readSettings, settingsPath, type AgentSettings, type Place } from './settings.ts'

/** Reads, changes and writes the settings while no other command does. */
export function updateSettings(io: Io, change: (settings: AgentSettings) => void): Promise<void> {
  const path = settingsPath(io.env)
  return withLock(io, `${path}.lock`, async () => {
    const settings = await readSettings(io.env)
    change(settings)
    await writePrivate(path, `${JSON.stringify(settings, null, 2)}\n`)
  })
}

/** Where a command works that names no folder: in the repository of this one, with all its worktrees. */
export async function currentPlace(folder: string): Promise<string> {
  return (await repositoryOf(folder))?.root ?? realpath(folder)
}

/** A folder that a person has named. */
export async function namedPlace(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    if (isMissing(error)) throw new Failure(EXIT.usage, `${folder} does not exist.`)
    throw error
  }
}

/** `place` null: everywhere. */
export const setPlace = (io: Io, place: string | null, setting: Place): Promise<void> =>
  updateSettings(io, (settings) => {
    if (place === null) settings.everywhere = setting
    else settings.folders[place] = setting
  })
