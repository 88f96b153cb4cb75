import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentHome } from '../../support/agent-home.ts'
import { newRepository } from '../../support/repository.ts'
import { codex, later, readSessions, writeLines } from './support.ts'

async function home() {
  const own = await agentHome('https://a.example')
  const read = async (...lines: (object | string)[]) =>
    readSessions(own.io, await writeLines(own.home, 'rollout-1.jsonl', lines), 'codex')
  return { ...own, ...codex(own.folder), read }
}

test('the turns that its events tell, and by name what is left out', async () => {
  const { read, meta, line, event, prompt, answer, folder } = await home()
  const { lines, said, counts, unread } = await read(
    meta(),
    event(1, 'task_started', { turn_id: 't-1' }),
    line(1, 'response_item', { type: 'message', role: 'developer', content: [] }),
    line(1, 'response_item', { type: 'message', role: 'user', content: [{ text: '<environment_context>' }] }),
    line(1, 'turn_context', { turn_id: 't-1', cwd: folder }),
    prompt(2, 't-1', 'Where do we deploy?  '),
    // The same in the earlier form.
    event(2, 'user_message', { message: 'Where do we deploy?  ' }),
    line(3, 'response_item', { type: 'reasoning' }),
    answer(3, 't-1', 'I look at the files.'),
    line(3, 'response_item', { type: 'function_call' }),
    line(4, 'response_item', { type: 'function_call_output', output: 'region: fra' }),
    answer(5, 't-1', 'To Frankfurt.'),
    event(5, 'agent_message', { message: 'To Frankfurt.' }),
    event(6, 'task_complete', { turn_id: 't-1', last_agent_message: 'To Frankfurt.' }),
    event(7, 'token_count'),
  )
  expect(lines[1]).toEqual({
    content: { text: 'To Frankfurt.', metadata: { source: 'codex' } },
    context: { namespace: 'repo:github.com/acme/api', conversation_id: 'codex:s-1' },
    visibility: 'private',
    occurred_at: later(5),
    turn: { role: 'assistant', speaker: null, message_id: 't-1:answer', part: 0 },
  })
  expect(said).toEqual([
    ['t-1:prompt', 'Where do we deploy?  '],
    ['t-1:answer', 'To Frankfurt.'],
  ])
  expect(unread).toEqual([])
  expect(counts).toEqual({
    'line of the agent itself': 2,
    thinking: 1,
    'tool call': 1,
    'tool result': 1,
    'text before the last answer': 1,
  })
})

test('an earlier version, whose events name no turn', async () => {
  const { read, meta, event, line, folder } = await home()
  const turns = [
    event(1, 'user_message', { message: 'One.' }),
    event(2, 'agent_message', { message: 'Two.' }),
    event(3, 'user_message', { message: 'Three.' }),
  ]
  expect((await read(meta(), ...turns)).said).toEqual([
    ['s-1:1:prompt', 'One.'],
    ['s-1:1:answer', 'Two.'],
    ['s-1:2:prompt', 'Three.'],
  ])
  // One that names it behind its prompt.
  const context = (turn_id: string) => line(1, 'turn_context', { turn_id, cwd: folder })
  const [first, ...rest] = turns
  expect((await read(meta(), first ?? {}, context('t-1'), ...rest, context('t-2'))).said).toEqual([
    ['t-1:prompt', 'One.'],
    ['t-1:answer', 'Two.'],
    ['t-2:prompt', 'Three.'],
  ])
})

test('a prompt while the agent works is of the same turn, and an aborted turn keeps what was said', async () => {
  const { read, meta, event } = await home()
  const { said } = await read(
    meta(),
    event(1, 'task_started', { turn_id: 't-1' }),
    event(1, 'user_message', { message: 'Deploy.' }),
    event(2, 'agent_message', { message: 'I begin.' }),
    event(3, 'user_message', { message: 'To Frankfurt.' }),
    event(4, 'turn_aborted', { turn_id: 't-1' }),
    event(5, 'task_started', { turn_id: 't-2' }),
    event(5, 'task_complete', { turn_id: 't-2', last_agent_message: 'Nobody asked.' }),
  )
  expect(said).toEqual([
    ['t-1:prompt', 'Deploy.'],
    ['t-1:prompt.2', 'To Frankfurt.'],
    ['t-1:answer', 'I begin.'],
  ])
})

test('a turn is of the repository that it worked in', async () => {
  const { read, meta, line, prompt, home: root, configure, folder } = await home()
  const other = await newRepository(join(root, 'web'), 'https://github.com/acme/web')
  await configure({ folders: { [folder]: { on: true }, [other]: { on: true } } })
  const { lines } = await read(
    meta(),
    line(1, 'turn_context', { turn_id: 't-1', cwd: folder }),
    prompt(1, 't-1', 'One.'),
    line(2, 'turn_context', { turn_id: 't-2', cwd: other }),
    prompt(2, 't-2', 'Two.'),
  )
  expect(lines).toMatchObject([
    { context: { namespace: 'repo:github.com/acme/api' } },
    { context: { namespace: 'repo:github.com/acme/web' } },
  ])
})

test('the session of a subagent, and the lines that a fork begins with', async () => {
  const { read, meta, prompt } = await home()
  const sub = await read(meta({ source: { subagent: 'review' } }), prompt(1, 't-1', 'Look at the tests.'))
  expect(sub).toMatchObject({ said: [], counts: { 'session of a subagent': 1 } })
  const fork = await read(meta(), meta({ id: 's-0' }), prompt(1, 't-1', 'One.'))
  expect(fork.lines).toMatchObject([{ context: { conversation_id: 'codex:s-1' } }])
})

test('a fork is imported without the turns of the sessions that it comes from, if these are read too', async () => {
  const { io, home: root, folder } = await home()
  const meta = (n: number) => codex(folder, `s-${n}`).meta()
  const said = (n: number) => codex(folder).prompt(n, `t-${n}`, `${n}.`)
  const sessions = join(root, 'sessions')
  await writeLines(sessions, 'rollout-1.jsonl', [meta(0), said(1), said(2)])
  await writeLines(sessions, 'rollout-2.jsonl', [meta(1), meta(0), said(1), said(3)])
  const last = await writeLines(sessions, 'rollout-3.jsonl', [meta(2), meta(1), meta(0), said(1), said(3), said(4)])
  const { lines, counts } = await readSessions(io, sessions, 'codex')
  expect(lines.map((line) => [line.context.conversation_id, line.content.text])).toEqual([
    ['codex:s-0', '1.'],
    ['codex:s-0', '2.'],
    ['codex:s-1', '3.'],
    ['codex:s-2', '4.'],
  ])
  expect(counts).toEqual({ 'line of the agent itself': 3, 'copy of a turn of another session': 3 })
  // Alone, nothing tells which turns are copies.
  expect((await readSessions(io, last, 'codex')).said.map(([, text]) => text)).toEqual(['1.', '3.', '4.'])
})
