import { join } from 'node:path'
import { HOOK_PROGRAM, type Program } from './entries.ts'

/** The program of the hooks stands beside that of the command line, in one file each. */
export const programOfHooks = (): Program => ({ node: process.execPath, hook: join(import.meta.dirname, HOOK_PROGRAM) })
