import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGENTS, type Agent } from '../../../src/cli/agent/agents.ts'
import { accountOf } from '../../../src/cli/config/account.ts'
import { run } from '../../../src/cli/run.ts'
import { KEY_LOGIN, oauthLogin, type agentHome } from '../support/agent-home.ts'
import { INPUTS } from '../support/hook-inputs.ts'
import { NOW } from '../support/io.ts'
import { RECALLED } from '../support/memory-service.ts'
import { started } from '../support/run-hook.ts'

type Home = Awaited<ReturnType<typeof agentHome>>

const PROMPT = INPUTS['claude-code'].prompt
const specific = (hookEventName: string) => ({ hookSpecificOutput: { hookEventName, additionalContext: RECALLED } })

describe('what a hook prints, in the form of its agent', () => {
  test.each<[Agent, object]>([
    ['claude-code', specific('SessionStart')],
    ['codex', specific('SessionStart')],
    ['gemini', specific('SessionStart')],
    ['opencode', { context: RECALLED }],
    ['copilot', { additionalContext: RECALLED }],
    ['cursor', { additional_context: RECALLED }],
  ])('%s: at the start of a session', async (agent, printed) => {
    const { hook } = await started()
    expect(JSON.parse((await hook(agent, INPUTS[agent].start)).output)).toEqual(printed)
  })

  test.each([
    ['claude-code', specific('UserPromptSubmit')],
    ['codex', specific('UserPromptSubmit')],
    ['gemini', specific('BeforeAgent')],
    ['opencode', { context: RECALLED }],
    ['cursor', { continue: true }],
  ] as const)('%s: before a prompt', async (agent, printed) => {
    const { hook } = await started()
    expect(JSON.parse((await hook(agent, INPUTS[agent].prompt)).output)).toEqual(printed)
  })

  test.each<[Agent, string, string]>([
    ['claude-code', '', ''],
    ['codex', '', ''],
    ['gemini', '{}', '{}'],
    ['opencode', '{}', '{}'],
    ['copilot', '{}', '{}'],
    ['cursor', '{}', '{"continue":true}'],
  ])('%s: nothing relevant, nothing to recall, nothing understood', async (agent, silence, atPrompt) => {
    const { service, hook } = await started()
    service.answers['/v1/memory/recall'] = { json: { text: '', pending: 0 } }
    const { start, prompt = start, answer } = INPUTS[agent]
    for (const recorded of [start, answer, { event: 'other', input: {} }])
      expect((await hook(agent, recorded)).output).toBe(silence)
    expect((await hook(agent, prompt)).output).toBe(atPrompt)
  })
})

test('a session asks without a query, a prompt with it; both leave out the conversation at hand', async () => {
  const { service, hook, home } = await started()
  await hook('codex', INPUTS.codex.start)
  await hook('codex', INPUTS.codex.prompt)
  const common = { context: { namespace: 'repo:github.com/acme/api' }, exclude_conversation_id: 'codex:s-1' }
  expect(service.asked.map(({ body }) => body)).toEqual([
    { ...common, max_tokens: 800 },
    { ...common, max_tokens: 1_000, query: 'Where do we deploy?' },
  ])
  expect(service.asked[0]?.headers['x-api-key']).toBe('rck_test_agents')
  // Shared memory is in its project.
  await home.configure({ folders: { [home.folder]: { on: true, share: 'prj_1' } } })
  await hook('codex', INPUTS.codex.prompt)
  expect(service.asked[2]?.body['context']).toEqual({ namespace: 'repo:github.com/acme/api', project_id: 'prj_1' })
})

test('a prompt that is longer than a query asks as a message, with its beginning and its end', async () => {
  const { service, hook } = await started()
  const asks = (prompt: string) => hook('codex', { input: { ...INPUTS.codex.prompt.input, prompt } })
  const long = `begin ${'x'.repeat(9_000)} end`
  await asks(long)
  await asks(`begin ${'x'.repeat(2_000_000)} end`)
  await asks('a\0b\ud800')
  const [first, second, third] = service.asked.map(({ body }) => body)
  expect(first).toMatchObject({ messages: [{ role: 'user', content: long }] })
  expect(first).not.toHaveProperty('query')
  expect(second).toMatchObject({ messages: [{ content: expect.stringMatching(/^begin x+ end$/) }] })
  // A body may have 1 MiB.
  expect(JSON.stringify(second).length).toBeLessThan(140_000)
  expect(third).toMatchObject({ query: 'a\ufffdb\ufffd' })
})

test('after a turn prompt and answer wait, private, and a sender is started', async () => {
  const { hook, waiting, service } = await started()
  expect((await hook('claude-code', PROMPT)).senders).toBe(0)
  expect(await hook('claude-code', INPUTS['claude-code'].answer)).toMatchObject({ senders: 1, output: '' })
  const timestamp = '2026-11-22T12:00:00.000Z'
  expect(await waiting()).toEqual([
    {
      url: service.url,
      account: accountOf(KEY_LOGIN),
      body: {
        conversation_id: 'claude-code:s-1',
        messages: [
          { id: 'p-1:prompt', role: 'user', content: 'Where do we deploy?', timestamp },
          { id: 'p-1:answer', role: 'assistant', content: 'To Frankfurt.', timestamp },
        ],
        context: { namespace: 'repo:github.com/acme/api' },
        visibility: 'private',
      },
    },
  ])
  // The next hook sends what is left.
  expect((await hook('claude-code', INPUTS['claude-code'].start)).senders).toBe(1)
})

test('each agent remembers a turn', async () => {
  const { hook, waiting, home } = await started()
  const path = join(home.home, 'events.jsonl')
  const line = (type: string, id: string, content: string) => JSON.stringify({ type, id, data: { content } })
  await writeFile(
    path,
    [
      line('user.message', 'e2', 'Where do we deploy?'),
      line('assistant.message', 'e3', 'To Frankfurt.'),
      JSON.stringify({ type: 'hook.start', data: { input: INPUTS.copilot.answer.input } }),
    ].join('\n'),
  )
  for (const agent of AGENTS) {
    const { prompt, answer } = INPUTS[agent]
    if (prompt) await hook(agent, prompt)
    await hook(agent, {
      ...answer,
      input: { ...answer.input, ...(agent === 'copilot' ? { transcriptPath: path } : {}) },
    })
  }
  const turns = await waiting()
  expect(new Set(turns.map((turn) => turn?.body.conversation_id))).toEqual(
    new Set(AGENTS.map((agent) => `${agent}:s-1`)),
  )
  expect(turns).toHaveLength(AGENTS.length)
  for (const turn of turns)
    expect(turn?.body.messages.map(({ content }) => content)).toEqual(['Where do we deploy?', 'To Frankfurt.'])
})

test('shared memory is stored for the project', async () => {
  const { hook, waiting, home } = await started()
  await home.configure({ everywhere: { on: true, share: 'prj_1' }, folders: {} })
  await hook('codex', INPUTS.codex.prompt)
  await hook('codex', INPUTS.codex.answer)
  const context = { namespace: 'repo:github.com/acme/api', project_id: 'prj_1' }
  expect(await waiting()).toMatchObject([{ body: { context, visibility: 'project' } }])
})

test.each<[string, (home: Home) => Promise<void>]>([
  ['a login as somebody else', ({ logIn }) => logIn(oauthLogin(NOW + 60_000))],
  ['sharing', ({ configure, folder }) => configure({ folders: { [folder]: { on: true, share: 'prj_1' } } })],
])('a prompt from before %s goes to nobody, and the next one is kept', async (_, change) => {
  const { hook, waiting, home } = await started()
  await hook('codex', INPUTS.codex.prompt)
  await change(home)
  await hook('codex', INPUTS.codex.answer)
  expect(await waiting()).toEqual([])
  expect(await home.written()).not.toContain('deploy')
  await hook('codex', INPUTS.codex.prompt)
  await hook('codex', INPUTS.codex.answer)
  expect(await waiting()).toHaveLength(1)
})

test.each([['logout'], ['agent', 'disable']])('%s %s erases the prompts that wait', async (...command) => {
  const { hook, waiting, home } = await started()
  await hook('codex', INPUTS.codex.prompt)
  expect(await home.written()).toContain('deploy')
  expect(await run(home.io, [...command, ...(command.length > 1 ? [home.folder] : [])], '1.0.0')).toBe(0)
  expect(await home.written()).not.toContain('deploy')
  await home.logIn(KEY_LOGIN)
  await home.configure({})
  await hook('codex', INPUTS.codex.answer)
  expect(await waiting()).toEqual([])
})

describe('nothing is sent and nothing is kept', () => {
  test.each<[string, (home: Home) => Promise<void>, object]>([
    ['in a folder that is not enabled', ({ configure }) => configure({ folders: {} }), {}],
    ['in a folder with .recollectignore', ({ folder }) => writeFile(join(folder, '.recollectignore'), ''), {}],
    ['with RECOLLECT_AGENT=off', async () => undefined, { RECOLLECT_AGENT: 'off' }],
    ['before the first install', ({ configure }) => configure({ url: null }), {}],
    ['after a logout', ({ logOut }) => logOut(), {}],
    [
      'with settings of another version',
      ({ home }) => writeFile(join(home, '.config/recollect/agents.json'), '{"version":2}'),
      {},
    ],
  ])('%s', async (_, prepare, env) => {
    const { service, hook, home, waiting } = await started()
    await prepare(home)
    for (const recorded of [INPUTS.codex.start, INPUTS.codex.prompt, INPUTS.codex.answer])
      expect(await hook('codex', recorded, { env })).toMatchObject({ output: '', senders: 0 })
    expect(service.asked).toEqual([])
    expect(await waiting()).toEqual([])
    expect(await home.written()).not.toContain('deploy')
  })

  test('of a prompt whose folder was disabled before its answer came', async () => {
    const { hook, home, waiting } = await started()
    await hook('codex', INPUTS.codex.prompt)
    await home.configure({ folders: {} })
    await hook('codex', INPUTS.codex.answer)
    expect(await waiting()).toEqual([])
    expect(await home.written()).not.toContain('deploy')
  })
})
