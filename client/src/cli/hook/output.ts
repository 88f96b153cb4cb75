import type { Agent } from '../agent/agents.ts'
import type { Moment } from './moment.ts'

type At = Exclude<Moment['at'], 'answer'>

const specific = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
})
/** Codex refuses a field that it does not know. */
const claudeForm = (at: At, text: string) => specific(at === 'session' ? 'SessionStart' : 'UserPromptSubmit', text)

const FORMS: Record<Agent, (at: At, text: string) => object> = {
  'claude-code': claudeForm,
  codex: claudeForm,
  gemini: (at, text) => specific(at === 'session' ? 'SessionStart' : 'BeforeAgent', text),
  opencode: (_, text) => ({ context: text }),
  copilot: (at, text) => (at === 'session' ? { additionalContext: text } : {}),
  cursor: (at, text) => (at === 'session' ? { additional_context: text } : {}),
}

/** These print nothing where there is nothing to say. The others expect JSON, Gemini CLI nothing else. */
const SILENT: ReadonlySet<Agent> = new Set(['claude-code', 'codex'])

/** What a hook prints: the recalled text in the form of its agent. */
export function outputOf(agent: Agent, at: Moment['at'] | null, text: string): string {
  if (agent === 'cursor' && at === 'prompt') return '{"continue":true}'
  if (text === '' || at === null || at === 'answer') return SILENT.has(agent) ? '' : '{}'
  return JSON.stringify(FORMS[agent](at, text))
}
