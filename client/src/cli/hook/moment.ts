import type { Agent } from '../agent/agents.ts'
import { lastTurn } from './transcript.ts'

/** What a hook tells, in one form for all agents. */
export type Moment = { session: string; folder: string } & (
  | { at: 'session' }
  | { at: 'prompt'; turn: string | null; prompt: string; recalls: boolean }
  /** `prompt` is null where an earlier hook has told it. */
  | { at: 'answer'; turn: string | null; prompt: string | null; answer: string }
)

/** Where the input of an agent says what. Of several fields the first that has a text counts. */
interface Form {
  events: Readonly<Record<string, Moment['at']>>
  session: readonly string[]
  turn: readonly string[]
  prompt: string
  answer: string
  /** The agent takes what its hook prints before a prompt. */
  recalls: boolean
}

const CLAUDE_EVENTS = { SessionStart: 'session', UserPromptSubmit: 'prompt', Stop: 'answer' } as const
const CLAUDE = { events: CLAUDE_EVENTS, session: ['session_id'], prompt: 'prompt', recalls: true } as const

const FORMS: Record<Agent, Form> = {
  'claude-code': { ...CLAUDE, turn: ['prompt_id'], answer: 'last_assistant_message' },
  codex: { ...CLAUDE, turn: ['turn_id'], answer: 'last_assistant_message' },
  gemini: {
    events: { SessionStart: 'session', BeforeAgent: 'prompt', AfterAgent: 'answer' },
    session: ['session_id'],
    turn: [],
    prompt: 'prompt',
    answer: 'prompt_response',
    recalls: true,
  },
  // What our own plugin sends (agent/plugin.ts).
  opencode: {
    events: { session: 'session', prompt: 'prompt', answer: 'answer' },
    session: ['session_id'],
    turn: ['turn_id'],
    prompt: 'prompt',
    answer: 'answer',
    recalls: true,
  },
  // Its hook tells neither prompt nor answer: both are read from the transcript.
  copilot: {
    events: { sessionStart: 'session', agentStop: 'answer' },
    session: ['sessionId'],
    turn: ['turn'],
    prompt: 'prompt',
    answer: 'answer',
    recalls: false,
  },
  cursor: {
    events: { sessionStart: 'session', beforeSubmitPrompt: 'prompt', afterAgentResponse: 'answer' },
    session: ['conversation_id', 'session_id'],
    turn: ['generation_id'],
    prompt: 'prompt',
    answer: 'text',
    recalls: false,
  },
}

/** `event` is the argument of the hook, since the input of some agents does not name it. null: there is nothing to do. */
export async function readMoment(
  agent: Agent,
  event: string | undefined,
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<Moment | null> {
  const form = FORMS[agent]
  const told: unknown = JSON.parse(text)
  if (typeof told !== 'object' || told === null) return null
  // Cursor can run the hooks of Claude Code too: it has its own.
  if (agent !== 'cursor' && 'cursor_version' in told) return null
  let input: Input = { ...told }
  const at = form.events[event ?? textOf(input['hook_event_name']) ?? '']
  const session = firstOf(input, form.session)
  const folder = folderOf(agent, input, env)
  if (at === undefined || session === null || folder === null) return null
  if (at === 'session') return { at, session, folder }
  const path = textOf(input['transcriptPath'])
  if (agent === 'copilot' && path !== null) input = { ...(await lastTurn(path, timeOf(input['timestamp']))) }
  const turn = firstOf(input, form.turn)
  const prompt = textOf(input[form.prompt])
  const answer = textOf(input[form.answer])
  if (at === 'prompt') return prompt === null ? null : { at, session, folder, turn, prompt, recalls: form.recalls }
  return answer === null ? null : { at, session, folder, turn, prompt, answer }
}

type Input = Readonly<Record<string, unknown>>

/** A session of Claude Code stays with the project that it began in, wherever its shell goes. */
function folderOf(agent: Agent, input: Input, env: NodeJS.ProcessEnv): string | null {
  const roots = input['workspace_roots']
  const project = agent === 'claude-code' ? env['CLAUDE_PROJECT_DIR'] : null
  return textOf(project) ?? textOf(Array.isArray(roots) ? roots[0] : null) ?? textOf(input['cwd'])
}

const firstOf = (input: Input, names: readonly string[]): string | null =>
  names.map((name) => textOf(input[name])).find((text) => text !== null) ?? null

const timeOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)
