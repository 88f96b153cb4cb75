import { unsafeIntegerIn } from '../convert/integers.ts'
import { isObject } from '../convert/records.ts'
import { readJson } from '../read-json.ts'
import type { Agent } from './agents.ts'

/** The program of the hooks, by its file. */
export const HOOK_PROGRAM = 'recollect-hook.js'

/** Agents end a hook that takes longer. */
const SECONDS = 10

/** What runs a hook: the path of Node and that of the program. */
export interface Program {
  node: string
  hook: string
}

export type JsonObject = Record<string, unknown>

/** Agents whose hooks are entries of a JSON file. */
export type JsonAgent = Exclude<Agent, 'opencode'>

const CLAUDE_EVENTS = ['SessionStart', 'UserPromptSubmit', 'Stop'] as const

const EVENTS: Record<JsonAgent, readonly string[]> = {
  'claude-code': CLAUDE_EVENTS,
  codex: CLAUDE_EVENTS,
  gemini: ['SessionStart', 'BeforeAgent', 'AfterAgent'],
  copilot: ['sessionStart', 'agentStop'],
  cursor: ['sessionStart', 'beforeSubmitPrompt', 'afterAgentResponse'],
}

const group = (fields: JsonObject): JsonObject => ({ hooks: [{ type: 'command', ...fields }] })

type Entry = (program: Program, event: string, platform: NodeJS.Platform) => JsonObject

const ENTRIES: Record<JsonAgent, Entry> = {
  // Without a shell.
  'claude-code': ({ node, hook }) => group({ command: node, args: [hook, 'claude-code'], timeout: SECONDS }),
  codex: (program, _, platform) => group({ command: lineOf(program, ['codex'], platform), timeout: SECONDS }),
  gemini: (program, _, platform) =>
    group({ name: 'recollect', command: lineOf(program, ['gemini'], platform), timeout: SECONDS * 1_000 }),
  // Its input does not name the event.
  copilot: (program, event, platform) => ({
    type: 'command',
    [platform === 'win32' ? 'powershell' : 'bash']: lineOf(program, ['copilot', event], platform),
    timeoutSec: SECONDS,
  }),
  cursor: (program, _, platform) => ({ command: lineOf(program, ['cursor'], platform), timeout: SECONDS }),
}

/** The events of each agent with our entry for it. */
export const entriesOf = (agent: JsonAgent, program: Program, platform: NodeJS.Platform): Record<string, JsonObject> =>
  Object.fromEntries(EVENTS[agent].map((event) => [event, ENTRIES[agent](program, event, platform)]))

/** Agents that run a hook by PowerShell on Windows. */
const BY_POWERSHELL: ReadonlySet<string | undefined> = new Set<Agent>(['copilot', 'gemini'])

/** A line that a shell reads as it is meant. */
function lineOf({ node, hook }: Program, args: readonly string[], platform: NodeJS.Platform): string {
  const words = [node, hook, ...args]
  if (platform !== 'win32') return words.map(quoted).join(' ')
  const line = words.map((word) => (/^[\w:\\/.-]+$/.test(word) ? word : `"${word}"`)).join(' ')
  // PowerShell prints a line that begins with a quote.
  return BY_POWERSHELL.has(args[0]) && line.startsWith('"') ? `& ${line}` : line
}

const quoted = (word: string): string => (/^[\w/.:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** Files that begin with the version of their form. */
const VERSIONED: ReadonlySet<JsonAgent> = new Set(['copilot', 'cursor'])

/** The file with our entries behind those that it has. Fails where `hooks` is not what the agent defines. */
export function withEntries(agent: JsonAgent, file: JsonObject, entries: Record<string, JsonObject>): JsonObject {
  const hooks = objectAt(file, 'hooks')
  const added = Object.entries(entries).map(([event, entry]) => [event, [...listAt(hooks, event), entry]] as const)
  const versioned = VERSIONED.has(agent) && file['version'] === undefined ? { version: 1 } : {}
  return { ...versioned, ...file, hooks: { ...hooks, ...Object.fromEntries(added) } }
}

/**
 * The file without our entries. Lists, `hooks` and `version` that were not there before, and that nothing is left of, go too.
 * null: it has none of our entries.
 */
export function withoutEntries(agent: JsonAgent, file: JsonObject, before: JsonObject | null): JsonObject | null {
  if (!isObject(file['hooks'])) return null
  const hooksBefore = isObject(before?.['hooks']) ? before['hooks'] : null
  let isOurs = false
  const hooks: JsonObject = {}
  for (const [event, list] of Object.entries(file['hooks'])) {
    const kept = Array.isArray(list) ? foreign(list) : list
    const changed = JSON.stringify(kept) !== JSON.stringify(list)
    isOurs ||= changed
    if (!changed || hooksBefore?.[event] !== undefined || (Array.isArray(kept) && kept.length > 0)) hooks[event] = kept
  }
  if (!isOurs) return null
  const rest: JsonObject = { ...file, hooks }
  if (!hooksBefore && Object.keys(hooks).length === 0) delete rest['hooks']
  // A file that we made keeps it for the entries of others.
  const ownVersion = before ? before['version'] === undefined : !('hooks' in rest)
  if (VERSIONED.has(agent) && ownVersion) delete rest['version']
  return rest
}

function foreign(list: readonly unknown[]): unknown[] {
  return list.flatMap((entry) => {
    if (isOurs(entry)) return []
    if (!isObject(entry) || !Array.isArray(entry['hooks'])) return [entry]
    // Somebody may have put an entry beside ours.
    const hooks = entry['hooks'].filter((hook) => !isOurs(hook))
    if (hooks.length === entry['hooks'].length) return [entry]
    return hooks.length === 0 ? [] : [{ ...entry, hooks }]
  })
}

function isOurs(hook: unknown): boolean {
  if (!isObject(hook)) return false
  const { command, args, bash, powershell } = hook
  return [command, bash, powershell, ...(Array.isArray(args) ? args : [])].some(
    (word) => typeof word === 'string' && word.includes(HOOK_PROGRAM),
  )
}

export class OtherForm extends Error {}

function objectAt(file: JsonObject, name: string): JsonObject {
  const value = file[name] ?? {}
  if (isObject(value)) return value
  throw new OtherForm(`"${name}" is not an object`)
}

function listAt(hooks: JsonObject, event: string): unknown[] {
  const value = hooks[event] ?? []
  if (Array.isArray(value)) return value
  throw new OtherForm(`"hooks.${event}" is not a list`)
}

/** The object of a file. Fails for comments and other faults, and for numbers that would not be written back as they are. */
export function parseFile(text: string): JsonObject {
  const value = readJson(text)
  if (value === undefined) throw new OtherForm('it has comments or is not valid JSON')
  if (!isObject(value)) throw new OtherForm('it is not an object')
  const unsafe = unsafeIntegerIn(text)
  if (unsafe !== undefined) throw new OtherForm(`JSON numbers do not keep ${unsafe} exactly`)
  return value
}

/** The text of a file, indented and ended as `like` is. */
export function textOf(file: JsonObject, like: string): string {
  const indent = /^\s*\{\r?\n([ \t]+)/.exec(like)?.[1] ?? 2
  const text = JSON.stringify(file, null, indent) + (like === '' || /\n\s*$/.test(like) ? '\n' : '')
  return like.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text
}
