import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A file beside the data. It holds nothing: SQLite locks it, and the system frees the lock of a process that dies. */
const LOCK = 'in-use.lock'

/** A database that nothing refers to is closed by garbage collection, and its lock ends with it. */
const held = new Set<DatabaseSync>()

/**
 * Takes a folder of data for this process, until it ends. Throws where another process has it: two servers on the same
 * databases would damage them.
 */
export function lockState(state: string): DatabaseSync {
  mkdirSync(state, { recursive: true })
  const lock = new DatabaseSync(join(state, LOCK), { timeout: 0 })
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    held.add(lock)
    return lock
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && /locked/.test(error.message))) throw error
    throw new Error(
      `Another npm start is using ${state}. Stop it first, or choose another folder: npm start -- --persist-to FOLDER`,
      { cause: error },
    )
  }
}
