import { Socket } from 'node:net'

/** Names the file descriptor of a pipe that the starter of this process holds (tools/bootstrap.mjs). */
const NAME = 'RECOLLECT_STARTER_FD'

/**
 * Calls `end` once the process that has started this one has died, whatever killed it: the system closes its pipe. Without a
 * pipe it does nothing. Processes further down have another thing under that number, so the name leaves the environment.
 */
export function whenStarterEnds(end: () => void): void {
  const fd = Number(process.env[NAME])
  delete process.env[NAME]
  if (Number.isInteger(fd) && fd > 2) new Socket({ fd }).on('error', end).on('end', end).resume().unref()
}

/** The environment of a child that gets a pipe of ours under this number. */
export const starterEnv = (fd: number): NodeJS.ProcessEnv => ({ [NAME]: String(fd) })
