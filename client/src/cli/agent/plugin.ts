import type { Program } from './entries.ts'

const FIRST_LINE = '// Written by `recollect agent install opencode`; `recollect agent remove opencode` deletes it.'

export const isPlugin = (text: string): boolean => text.startsWith(FIRST_LINE)

/** The plugin of OpenCode: it hands prompts and answers to the program of the hooks, and what is recalled to the model. */
export const pluginOf = ({ node, hook }: Program): string => `${FIRST_LINE}
import { spawn } from 'node:child_process'

const NODE = ${JSON.stringify(node)}
const HOOK = ${JSON.stringify(hook)}

/** What the hook recalls; empty where it recalls nothing or fails. */
function run(event, input) {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(NODE, [HOOK, 'opencode', event], { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })
    child.on('error', () => resolve(''))
    child.stdin.on('error', () => {})
    child.stdout.on('data', (part) => (output += part))
    child.on('close', () => {
      try {
        resolve(JSON.parse(output).context ?? '')
      } catch {
        resolve('')
      }
    })
    child.stdin.end(JSON.stringify(input))
  })
}

const textOf = (parts) =>
  parts
    .filter((part) => part.type === 'text' && !part.synthetic && !part.ignored)
    .map((part) => part.text)
    .join('\\n')

export const Recollect = async ({ client, directory }) => {
  const sessions = new Map()
  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      try {
        // An agent talks to its subagents in sessions of their own.
        const session = await client.session.get({ path: { id: sessionID } })
        if (session.data?.parentID) return
        const turn = message.id
        const input = { session_id: sessionID, turn_id: turn, cwd: directory, prompt: textOf(parts) }
        const known = sessions.get(sessionID)
        const [start, recalled] = await Promise.all([known?.start ?? run('session', input), run('prompt', input)])
        sessions.set(sessionID, { start, recalled, turn })
      } catch {
        sessions.delete(sessionID)
      }
    },
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      const { start, recalled } = sessions.get(sessionID) ?? {}
      system.push(...[start, recalled].filter(Boolean))
    },
    event: async ({ event }) => {
      if (event.type !== 'session.idle') return
      const { sessionID } = event.properties
      const known = sessions.get(sessionID)
      if (!known) return
      try {
        const { data } = await client.session.messages({ path: { id: sessionID } })
        const last = data.findLast(({ info }) => info.role === 'assistant')
        const answer = textOf(last?.parts ?? [])
        await run('answer', { session_id: sessionID, turn_id: known.turn, cwd: directory, answer })
      } catch {
        // The agent works without its memory.
      }
    },
  }
}
`
