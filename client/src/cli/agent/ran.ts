import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { statePath } from '../config/paths.ts'
import { orMissing } from '../config/private-file.ts'
import type { Agent } from './agents.ts'

/** A file whose age tells when the hooks of an agent ran last. Codex skips hooks without a word until a person trusts them. */
export async function ranPath(env: NodeJS.ProcessEnv, agent: Agent): Promise<string> {
  const path = statePath(env, 'agents', 'ran', agent)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return path
}

/** Milliseconds since 1970; null: never. */
export async function lastRun(env: NodeJS.ProcessEnv, agent: Agent): Promise<number | null> {
  return (await orMissing(stat(await ranPath(env, agent))))?.mtimeMs ?? null
}

/** New hooks have not run yet. */
export const forgetRuns = async (env: NodeJS.ProcessEnv, agent: Agent): Promise<void> =>
  rm(await ranPath(env, agent), { force: true })
