import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAlive } from './process.ts'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** The text of a file that only its owner may read; null where there is none. A file that others may read is closed. */
export async function readPrivate(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(path, FILE_MODE)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/**
 * Replaces a file as a whole: a reader sees the old text or the new one, also after a crash. The mode is there before the
 * text is.
 */
export async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
  const fresh = `${path}.${process.pid}.${String(process.hrtime.bigint())}`
  try {
    const file = await open(fresh, 'wx', FILE_MODE)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
  // The file is written, so no failure here is one of the write.
  await eraseUnfinished(path).catch(() => undefined)
}

/** Erases what processes had begun to write in place of a file when they were killed. */
async function eraseUnfinished(path: string): Promise<void> {
  const prefix = `${basename(path)}.`
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix)) continue
    const [, pid] = /^(\d+)\.\d+$/.exec(name.slice(prefix.length)) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(dirname(path), name), { force: true })
  }
}

export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'

/** null where there is no such file. */
export async function orMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
