import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { configPath } from '../config/paths.ts'
import { orMissing, readPrivate, writePrivate } from '../config/private-file.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { Agent } from './agents.ts'
import { configFile, readConfig, writeConfig } from './config-file.ts'
import { entriesOf, OtherForm, parseFile, textOf, withEntries, withoutEntries, type Program } from './entries.ts'
import { isPlugin, pluginOf } from './plugin.ts'
import { forgetRuns } from './ran.ts'

/** What `remove` needs to restore a file. */
interface Installed {
  path: string
  /** The whole text before; null: there was no file. */
  before: string | null
  /** The SHA-256 of the text that was written. */
  after: string
}

/** A change of an agent's file. */
export interface Change {
  path: string
  /** What the file gets, for a person to read. */
  lines: string
  before: string | null
  after: string
}

const recordPath = (env: NodeJS.ProcessEnv, agent: Agent): string => configPath(env, 'agents', `${agent}.json`)
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

async function recordOf(env: NodeJS.ProcessEnv, agent: Agent): Promise<Installed | null> {
  const text = await readPrivate(recordPath(env, agent))
  return text === null ? null : (JSON.parse(text) as Installed)
}

/** What `install` writes. Fails for a file that it cannot write back as it is, with the lines to paste. */
export async function planInstall(env: NodeJS.ProcessEnv, agent: Agent, program: Program): Promise<Change> {
  const path = configFile(env, agent)
  if (agent === 'opencode') {
    const before = await readConfig(path)
    if (before !== null && !isPlugin(before)) throw refused(path, 'it was not written by this command', '')
    return { path, lines: pluginOf(program), before: null, after: pluginOf(program) }
  }
  const entries = entriesOf(agent, program, process.platform)
  const lines = JSON.stringify({ hooks: entriesInLists(entries) }, null, 2)
  try {
    const now = await readConfig(path)
    const before = await withoutOurs(env, agent, path, now)
    const after = textOf(withEntries(agent, parseFile(before ?? '{}'), entries), before ?? '')
    return { path, lines, before, after }
  } catch (error) {
    if (error instanceof OtherForm) throw refused(path, error.message, lines)
    throw error
  }
}

const entriesInLists = (entries: Record<string, object>) =>
  Object.fromEntries(Object.entries(entries).map(([event, entry]) => [event, [entry]]))

/** The text as it would be without an earlier `install`. */
async function withoutOurs(
  env: NodeJS.ProcessEnv,
  agent: Exclude<Agent, 'opencode'>,
  path: string,
  now: string | null,
): Promise<string | null> {
  if (now === null) return null
  const record = await recordOf(env, agent)
  const earlier = record?.path === path ? record : null
  if (earlier?.after === hashOf(now)) return earlier.before
  const before = earlier?.before ?? null
  const rest = withoutEntries(agent, parseFile(now), before === null ? null : parseFile(before))
  if (!rest) return now
  return before === null && earlier && Object.keys(rest).length === 0 ? null : textOf(rest, now)
}

export async function install(env: NodeJS.ProcessEnv, agent: Agent, change: Change): Promise<void> {
  const record: Installed = { path: change.path, before: change.before, after: hashOf(change.after) }
  // First: without it, `remove` could not restore the file.
  await writePrivate(recordPath(env, agent), `${JSON.stringify(record, null, 2)}\n`)
  await writeConfig(change.path, change.after)
  await forgetRuns(env, agent)
}

/** Restores the file of an agent, or takes our entries out of one that was edited since. false: there were none. */
export async function remove(env: NodeJS.ProcessEnv, agent: Agent): Promise<{ path: string; removed: boolean }> {
  const path = (await recordOf(env, agent))?.path ?? configFile(env, agent)
  const now = await readConfig(path)
  const removed = now !== null && (await removeFrom(env, agent, path, now))
  await rm(recordPath(env, agent), { force: true })
  return { path, removed }
}

async function removeFrom(env: NodeJS.ProcessEnv, agent: Agent, path: string, now: string): Promise<boolean> {
  if (agent === 'opencode') {
    if (!isPlugin(now)) return false
    const record = await recordOf(env, agent)
    if (record && record.after !== hashOf(now))
      throw new Failure(EXIT.conflict, `${path} was edited since it was written.`, { hint: 'Delete it yourself.' })
    await writeConfig(path, null)
    return true
  }
  try {
    const rest = await withoutOurs(env, agent, path, now)
    if (rest === now) return false
    await writeConfig(path, rest)
    return true
  } catch (error) {
    if (!(error instanceof OtherForm)) throw error
    throw new Failure(EXIT.invalid, `${path} cannot be changed: ${error.message}.`, {
      hint: 'Delete the entries that name recollect-hook.js yourself.',
    })
  }
}

export type State = 'installed' | 'not installed' | 'outdated' | 'unreadable'

/** Whether our hooks are in the file of an agent, and whether what they run is there. */
export async function stateOf(env: NodeJS.ProcessEnv, agent: Agent, program: Program): Promise<State> {
  const path = (await recordOf(env, agent))?.path ?? configFile(env, agent)
  try {
    const now = await readConfig(path)
    if (now === null) return 'not installed'
    const isIn = agent === 'opencode' ? isPlugin(now) : withoutEntries(agent, parseFile(now), null) !== null
    if (!isIn) return 'not installed'
    const runs = [program.node, program.hook].every((file) => now.includes(JSON.stringify(file).slice(1, -1)))
    return runs && (await isFile(program.hook)) ? 'installed' : 'outdated'
  } catch (error) {
    if (error instanceof OtherForm) return 'unreadable'
    throw error
  }
}

const isFile = async (path: string): Promise<boolean> => (await orMissing(stat(path)))?.isFile() === true

const refused = (path: string, why: string, lines: string): Failure =>
  new Failure(EXIT.invalid, `${path} was not changed: ${why}.`, {
    hint: lines === '' ? 'Move it away first.' : `Add these lines to it yourself:\n${lines}`,
  })
