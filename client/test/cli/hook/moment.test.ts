import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGENTS, type Agent } from '../../../src/cli/agent/agents.ts'
import { readMoment, type Moment } from '../../../src/cli/hook/moment.ts'
import { testIo } from '../support/io.ts'
import { INPUTS, WITH_PROMPTS, type Recorded } from '../support/hook-inputs.ts'

const read = (agent: Agent, { event, input }: Recorded, env = {}) =>
  readMoment(agent, event, JSON.stringify(input), env)

describe('each agent tells the same in its own form', () => {
  const session = { session: 's-1', folder: '/work/api' }
  const turns = {
    'claude-code': 'p-1',
    codex: 't-1',
    gemini: null,
    opencode: 'msg_1',
    cursor: 'g-1',
  }

  test.each(AGENTS)('%s: the start of a session', async (agent) => {
    expect(await read(agent, INPUTS[agent].start)).toEqual({ at: 'session', ...session })
  })

  test.each(WITH_PROMPTS)('%s: a prompt and its answer', async (agent) => {
    const { prompt, answer } = INPUTS[agent]
    const turn = turns[agent]
    const asked = { at: 'prompt', ...session, turn, prompt: 'Where do we deploy?', recalls: agent !== 'cursor' }
    expect(await read(agent, prompt)).toEqual(asked)
    const told = agent === 'gemini' ? 'Where do we deploy?' : null
    expect(await read(agent, answer)).toEqual({ at: 'answer', ...session, turn, prompt: told, answer: 'To Frankfurt.' })
  })
})

test('a session of Claude Code stays with its project, wherever its shell is', async () => {
  const env = { CLAUDE_PROJECT_DIR: '/work/main' }
  expect(await read('claude-code', INPUTS['claude-code'].prompt, env)).toMatchObject({ folder: '/work/main' })
  expect(await read('codex', INPUTS.codex.prompt, env)).toMatchObject({ folder: '/work/api' })
})

test('Cursor that runs the hooks of Claude Code is told by its own hooks alone', async () => {
  const { event, input } = INPUTS['claude-code'].prompt
  const told = { ...input, cursor_version: '2.1.0' }
  expect(await read('claude-code', { input: told, ...(event === undefined ? {} : { event }) })).toBeNull()
  const own = INPUTS.cursor.prompt
  expect(await read('cursor', { ...own, input: { ...own.input, cursor_version: '2.1.0' } })).not.toBeNull()
})

describe('Copilot CLI: the turn is read from its transcript', () => {
  const line = (type: string, id: string, content: string, more = {}) =>
    JSON.stringify({ type, id, data: { content }, ...more })

  async function turnOf(...lines: string[]): Promise<Moment | null> {
    const path = join(testIo().home, 'events.jsonl')
    await writeFile(path, lines.join('\n'))
    return read('copilot', { event: 'agentStop', input: { sessionId: 's-1', cwd: '/work/api', transcriptPath: path } })
  }

  test('the last prompt and the last answer, of the person and the agent itself', async () => {
    const moment = await turnOf(
      line('user.message', 'e0', 'Hello'),
      line('assistant.message', 'e1', 'Hello.'),
      line('user.message', 'e2', 'Where do we deploy?'),
      line('assistant.message', 'e3', 'I will look.'),
      line('user.message', 'e4', 'Search the docs', { agentId: 'a' }),
      line('assistant.message', 'e5', 'Found nothing', { agentId: 'a' }),
      line('tool.execution_complete', 'e6', 'output of a tool'),
      line('assistant.message', 'e7', 'To Frankfurt.'),
      line('assistant.message', 'e8', ''),
      '{"type":"assistant.turn_end"}',
      'null',
      '{"type":"assi',
    )
    expect(moment).toMatchObject({ at: 'answer', turn: 'e2', prompt: 'Where do we deploy?', answer: 'To Frankfurt.' })
  })

  test('nothing without an answer, and nothing of an empty transcript', async () => {
    expect(await turnOf(line('user.message', 'e0', 'Hello'))).toBeNull()
    expect(await turnOf('')).toBeNull()
  })

  test('a transcript that is written after the hook was called: it waits for the line of its call', async () => {
    const path = join(testIo().home, 'events.jsonl')
    const input = { sessionId: 's-1', cwd: '/work/api', transcriptPath: path, timestamp: 1_763_812_800_000 }
    const moment = read('copilot', { event: 'agentStop', input })
    const before = [line('user.message', 'e0', 'Hello'), line('assistant.message', 'e1', 'Hello.')]
    await writeFile(path, before.join('\n'))
    const now = [line('user.message', 'e2', 'And now?'), line('assistant.message', 'e3', 'Now this.')]
    await writeFile(path, [...before, ...now, JSON.stringify({ type: 'hook.start', data: { input } })].join('\n'))
    expect(await moment).toMatchObject({ turn: 'e2', answer: 'Now this.' })
    // A version that does not write its calls.
    await writeFile(path, before.join('\n'))
    expect(await read('copilot', { event: 'agentStop', input })).toMatchObject({ turn: 'e0', answer: 'Hello.' })
  })

  test('the end of a transcript that is longer than what is read', async () => {
    const noise = line('tool.execution_complete', 'e', 'x'.repeat(5_000_000))
    const moment = await turnOf(noise, line('user.message', 'e2', 'Hi'), line('assistant.message', 'e3', 'Hi.'))
    expect(moment).toMatchObject({ turn: 'e2', answer: 'Hi.' })
  })
})

test.each([
  ['claude-code', 'null'],
  ['claude-code', '[]'],
  ['codex', '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/"}'],
  ['codex', '{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"/","prompt":"  "}'],
  ['codex', '{"hook_event_name":"Stop","session_id":"s","cwd":"/","last_assistant_message":null}'],
  ['codex', '{"hook_event_name":"Stop","session_id":7,"cwd":"/","last_assistant_message":"a"}'],
  ['cursor', '{"hook_event_name":"afterAgentResponse","conversation_id":"s","text":"a"}'],
  ['gemini', '{"hook_event_name":"toString","session_id":"s","cwd":"/"}'],
] as const)('%s: %s is nothing to do', async (agent, text) => {
  expect(await readMoment(agent, undefined, text, {})).toBeNull()
})
