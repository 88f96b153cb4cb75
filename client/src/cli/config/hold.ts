import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fingerprint } from '../fingerprint.ts'
import { codeOf, isMissing } from './private-file.ts'
import { isAlive } from './process.ts'

/** The content of a held file: its holder. */
export interface Holder {
  /** The process; null: the file names none. */
  pid: number | null
  id: string
  /** Milliseconds since 1970. */
  since: number
  /** The id of this hold: no other has the same. */
  token: string
}

/** What this process has held. In a container an earlier process had the same id. */
const ownIds = new Set<string>()

/** The process has ended, or the file names none. */
export const hasEnded = ({ pid, id }: Holder): boolean =>
  pid === null || (pid === process.pid ? !ownIds.has(id) : !isAlive(pid))

/**
 * Creates the file with the id of this process in it. null: this process holds it until it erases it. Otherwise it says who
 * holds it. The file of a holder that is gone is taken over, by one process alone.
 */
export async function hold(path: string, isGone = hasEnded): Promise<Holder | null> {
  for (;;) {
    const holder = await holderOf(path)
    if (holder === null) {
      if (await create(path)) return null
      continue
    }
    if (!isGone(holder)) return holder
    const remover = await removeOf(path, holder)
    if (remover) return remover
  }
}

export const release = (path: string): Promise<void> => rm(path, { force: true })

/** Null where there is no such file. */
export async function holderOf(path: string): Promise<Holder | null> {
  try {
    const [text, { mtimeMs: since }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    const [number, id = ''] = text.split(' ')
    const pid = Number(number)
    const token = fingerprint(`${text} ${since}`)
    return { pid: Number.isInteger(pid) && pid > 0 ? pid : null, id, since, token }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** The lock of a process while it removes the file of a holder that is gone. */
export const removalOf = (path: string, { token }: Holder): string => `${path}.${token}`

/**
 * Erases the file of a holder that is gone, and only this one: somebody else may have erased it, and a third one may hold the
 * file by now. Otherwise it says who is about to erase it.
 */
async function removeOf(path: string, holder: Holder): Promise<Holder | null> {
  const removal = removalOf(path, holder)
  const remover = await hold(removal)
  if (remover) return remover
  try {
    if ((await holderOf(path))?.token === holder.token) await rm(path, { force: true })
    return null
  } finally {
    await release(removal)
  }
}

/** A link appears with its text in it: nobody sees an empty file. */
async function create(path: string): Promise<boolean> {
  const id = randomUUID()
  ownIds.add(id)
  const own = `${path}.${id}`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(own, `${process.pid} ${id}`, { mode: 0o600 })
  try {
    await link(own, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(own, { force: true })
  }
}
