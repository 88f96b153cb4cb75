import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { Io } from '../io.ts'
import { hasEnded, hold, release, type Holder } from './hold.ts'

/** Longer than a refresh may take. */
export const STALE_MS = 45_000
const LOOK_MS = 50

/**
 * Runs `task` while no other command that names this lock runs its own. The lock of a process that died is taken over at once,
 * one that names no process once its file is older than `STALE_MS`. A process that lives and holds it for longer is an error.
 */
export async function withLock<T>(io: Pick<Io, 'sleep' | 'now'>, path: string, task: () => Promise<T>): Promise<T> {
  const isGone = (holder: Holder) => (holder.pid === null ? io.now() - holder.since > STALE_MS : hasEnded(holder))
  let longest = { token: '', since: 0 }
  for (let holder = await hold(path, isGone); holder; holder = await hold(path, isGone)) {
    if (holder.token !== longest.token) longest = { token: holder.token, since: io.now() }
    if (holder.pid !== null && io.now() - longest.since > STALE_MS) throw stuck(path, holder.pid)
    await io.sleep(LOOK_MS)
  }
  try {
    return await task()
  } finally {
    await release(path)
  }
}

const stuck = (path: string, pid: number): Failure =>
  new Failure(EXIT.conflict, `Process ${pid} has locked ${path}.`, {
    hint: 'If it hangs, end it. If it is not a recollect command, delete this file.',
  })
