import { spawnSync } from 'node:child_process'
import { hasPython } from './python.ts'

const runs = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

/** Go compiles the client, Java runs its generator, and Python's pip installs it. */
export const canGenerateGo = hasPython && runs('go', 'version') && runs('java', '-version')
