import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { hold, release } from './hold.ts'

/**
 * Runs `task` unless another process runs one with the same file. The file of a process that died counts for nothing. `what`
 * says what runs already.
 */
export async function runAlone<T>(path: string, what: string, task: () => Promise<T>): Promise<T> {
  const holder = await hold(path)
  if (holder) {
    throw new Failure(EXIT.conflict, `${what} is already running, as process ${holder.pid}.`, {
      hint: 'Wait until it has finished.',
    })
  }
  try {
    return await task()
  } finally {
    await release(path)
  }
}
