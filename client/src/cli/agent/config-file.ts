import { chmod, readFile, realpath, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { baseFolder } from '../config/paths.ts'
import { orMissing, writePrivate } from '../config/private-file.ts'
import type { Agent } from './agents.ts'
import { OtherForm } from './entries.ts'

type Folder = (variable: string, name: string) => string

const FILES: Record<Agent, (folder: Folder, env: NodeJS.ProcessEnv) => string> = {
  'claude-code': (folder) => join(folder('CLAUDE_CONFIG_DIR', '.claude'), 'settings.json'),
  codex: (folder) => join(folder('CODEX_HOME', '.codex'), 'hooks.json'),
  gemini: (folder) => join(folder('GEMINI_CLI_HOME', ''), '.gemini', 'settings.json'),
  opencode: (_, env) => join(baseFolder(env, 'XDG_CONFIG_HOME', '.config'), 'opencode', 'plugins', 'recollect.js'),
  copilot: (folder) => join(folder('COPILOT_HOME', '.copilot'), 'hooks', 'recollect.json'),
  cursor: (folder) => join(folder('', '.cursor'), 'hooks.json'),
}

/** The folder of an agent: that of its variable, else one in the home of the person. */
export const agentFolder = (env: NodeJS.ProcessEnv, variable: string, name: string): string =>
  env[variable] || join(env['HOME'] ?? homedir(), name)

/** The file of an agent that our hooks are in. */
export const configFile = (env: NodeJS.ProcessEnv, agent: Agent): string =>
  FILES[agent]((variable, name) => agentFolder(env, variable, name), env)

/** The text of a file, byte for byte; null where there is none. */
export async function readConfig(path: string): Promise<string | null> {
  const bytes = await orMissing(readFile(path))
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new OtherForm('it is not UTF-8')
  }
}

/** Replaces a file as a whole, or deletes it. A link stays a link, and a file keeps its mode. */
export async function writeConfig(path: string, text: string | null): Promise<void> {
  const real = (await orMissing(realpath(path))) ?? path
  if (text === null) return rm(real, { force: true })
  const before = await orMissing(stat(real))
  await writePrivate(real, text)
  if (before) await chmod(real, before.mode & 0o777)
}
