import type { Agent } from '../../../src/cli/agent/agents.ts'

/** A call of a hook: its argument, and its standard input as the documents of the agent show it. */
export interface Recorded {
  event?: string
  input: Record<string, unknown>
}

interface Inputs {
  start: Recorded
  /** Absent: the agent has no such hook of ours. */
  prompt?: Recorded
  answer: Recorded
}

const PROMPT = 'Where do we deploy?'
const ANSWER = 'To Frankfurt.'
const claude = { session_id: 's-1', transcript_path: '/t.jsonl', cwd: '/work/api', permission_mode: 'default' }
const codex = { ...claude, model: 'gpt-5.5' }
const gemini = {
  session_id: 's-1',
  transcript_path: '/t.json',
  cwd: '/work/api',
  timestamp: '2026-11-22T12:00:00.000Z',
}
const opencode = { session_id: 's-1', turn_id: 'msg_1', cwd: '/work/api' }
const copilot = { sessionId: 's-1', timestamp: 1_763_812_800_000, cwd: '/work/api' }
const cursor = {
  conversation_id: 's-1',
  generation_id: 'g-1',
  model: 'auto',
  cursor_version: '3.24.18',
  workspace_roots: ['/work/api'],
  user_email: null,
  transcript_path: null,
}
const named = (base: object, hook_event_name: string, more: object = {}): Recorded => ({
  input: { ...base, hook_event_name, ...more },
})

/** Copilot CLI has no hook of ours before a prompt. */
export const WITH_PROMPTS = ['claude-code', 'codex', 'gemini', 'opencode', 'cursor'] as const

export const INPUTS: Record<Agent, Inputs> & Record<(typeof WITH_PROMPTS)[number], Required<Inputs>> = {
  'claude-code': {
    start: named(claude, 'SessionStart', { source: 'startup', model: 'sonnet' }),
    prompt: named(claude, 'UserPromptSubmit', { prompt_id: 'p-1', prompt: PROMPT }),
    answer: named(claude, 'Stop', { prompt_id: 'p-1', stop_hook_active: false, last_assistant_message: ANSWER }),
  },
  codex: {
    start: named(codex, 'SessionStart', { source: 'startup' }),
    prompt: named(codex, 'UserPromptSubmit', { turn_id: 't-1', prompt: PROMPT }),
    answer: named(codex, 'Stop', { turn_id: 't-1', stop_hook_active: false, last_assistant_message: ANSWER }),
  },
  gemini: {
    start: named(gemini, 'SessionStart', { source: 'startup' }),
    prompt: named(gemini, 'BeforeAgent', { prompt: PROMPT }),
    answer: named(gemini, 'AfterAgent', { prompt: PROMPT, prompt_response: ANSWER, stop_hook_active: false }),
  },
  opencode: {
    start: { event: 'session', input: opencode },
    prompt: { event: 'prompt', input: { ...opencode, prompt: PROMPT } },
    answer: { event: 'answer', input: { ...opencode, answer: ANSWER } },
  },
  copilot: {
    start: { event: 'sessionStart', input: { ...copilot, source: 'new', initialPrompt: PROMPT } },
    answer: { event: 'agentStop', input: { ...copilot, transcriptPath: '/t.jsonl', stopReason: 'end_turn' } },
  },
  cursor: {
    start: named(cursor, 'sessionStart', { session_id: 's-1', is_background_agent: false, composer_mode: 'agent' }),
    prompt: named(cursor, 'beforeSubmitPrompt', { prompt: PROMPT, attachments: [] }),
    answer: named(cursor, 'afterAgentResponse', { text: ANSWER }),
  },
}
