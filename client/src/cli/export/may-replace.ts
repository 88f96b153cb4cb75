import { stat } from 'node:fs/promises'
import { isMissing } from '../config/private-file.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { nextLine, type Io } from '../io.ts'
import { visibleLine } from '../output/visible.ts'

/** Asks before an export replaces a file. Fails if the answer is not yes, or nobody can be asked. */
export async function requireReplaceable(io: Io, name: string): Promise<void> {
  if (!(await exists(name))) return
  const shown = visibleLine(name)
  if (io.stdin.isTTY !== true) {
    throw new Failure(EXIT.usage, `${shown} already exists.`, { hint: 'To replace it, use --force' })
  }
  io.stderr.write(`${shown} already exists. Replace it? [y/N] `)
  if (!/^y(es)?$/i.test((await nextLine(io)).trim())) {
    throw new Failure(EXIT.interrupted, `Stopped. ${shown} stays as it is.`)
  }
}

async function exists(name: string): Promise<boolean> {
  try {
    await stat(name)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
