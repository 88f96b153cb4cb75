import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent } from '../../../test/e2e/support/agent.ts'
import { hasPython } from '../../../test/e2e/support/python.ts'
import { startServer, type Server } from '../../../test/e2e/support/server.ts'
import { runPython } from '../cases/python.ts'
import { STORE_CASES } from '../store-suite.ts'

const SEED = Number(process.env['FC_SEED'] ?? 20_261_126)

let server: Server
beforeAll(async () => {
  server = await startServer({ staticAssets: false, vars: { LIMITS_FACTOR: '1000' } })
})
afterAll(() => server.stop())

/** Runs a program as a user of its own. What it prints. */
async function run(program: string, input: unknown = null): Promise<unknown> {
  const scopes = ['read:memory', 'write:memory', 'read:projects', 'write:projects']
  const key = await (await Agent.signUp(server.url)).makeKey(scopes)
  return runPython(program, input, { RECOLLECT_URL: server.url, RECOLLECT_API_KEY: key })
}

test.runIf(hasPython)(
  `300 random commands have the results of the Python SDK's tool for a local disk (FC_SEED=${SEED})`,
  async () => {
    expect(await run('run_memory_tool.py', { seed: SEED, commands: 300 })).toEqual({
      sync: [],
      async: [],
      refused: [
        expect.stringContaining('has 129 characters below /memories/. At most 128 are possible.'),
        'The file /memories/empty cannot be empty. Delete it, or give it a text.',
        expect.stringContaining('would have 65537 characters. At most 65536 are possible'),
        'Path /memories/../etc would escape /memories directory',
        'No replacement was performed, because old_str is empty.',
        'The folder /memories/many has 51 files. At most 50 can change at once.',
        'The folder /memories/many has 51 files. At most 50 can change at once.',
      ],
      contested: {
        error: 'The file /memories/a kept changing. View it, and try again.',
        written: Array.from({ length: 3 }, () => expect.stringContaining('7')),
      },
    })
  },
)

test.runIf(hasPython)('LangGraph: both stores of Recollect and the one in memory do what the table says', async () => {
  const text = expect.stringContaining('allergic to peanuts')
  expect(await run('run_store_cases.py', STORE_CASES)).toEqual({
    memory: [],
    sync: [],
    async: [],
    graph: { sync: text, thread: text, async: text, other: '', nobody: expect.stringContaining('must have a user') },
  })
})

test.runIf(hasPython)("Google ADK: a session is remembered once, and is found by its user's agent", async () => {
  expect(await run('run_adk.py')).toEqual({
    turns: [
      ['ada', 'ada:s1', 'I am allergic to peanuts.'],
      ['ada', 'ada:s1', 'I will remember that you told me.'],
      ['ada', 'ada:s1', 'I will remember that you told me.'],
      ['ada', 'ada:s1', 'My kettle is blue.'],
      ['bob', 'bob:s1', 'I love peanuts with salt.'],
      ['bob', 'bob:s1', 'I will remember that you told me.'],
    ],
    turns_of_a_new_process: true,
    answer: expect.stringMatching(/^The memory says: .*allergic to peanuts(?!.*with salt)/s),
    other_user: [],
    no_query: [],
    events: ['The oven was repaired in May.'],
    notes: ['Dora eats fish now.'],
    not_hers: ['Dora eats fish now.'],
    deleted: [],
    unknown_option: 'custom_metadata can have ttl and tags, and not wait.',
    conversations: [
      ['a:b', 'I am a in b.'],
      ['a:b=3Ac', 'I am a in b:c.'],
      ['a=3Ab', 'I am a:b in None.'],
      ['a=3Ab:c', 'I am a:b in c.'],
    ],
    note_ids: ['a:b=3Ac', 'a=3Ab:c'],
    times: [
      ['Note 0.', '2026-03-01T00:00:00.000Z', null],
      ['Note 1.', '2026-03-01T04:30:00.250Z', null],
      ['Note 2.', null, 'last spring'],
      ['Note 3.', null, '0001-01-01T00:00:00'],
    ],
  })
})

test.runIf(hasPython)(
  'OpenAI Agents: the history stays in the inner session, and its texts are remembered',
  async () => {
    expect(await run('run_openai_agents.py')).toEqual({
      answers: [
        'I will keep that in mind.',
        'I will keep that in mind.',
        expect.stringMatching(/^The tool says: .*allergic to peanuts/s),
        'The tool says: Remembered.',
      ],
      types: (
        'user message user message user reasoning function_call function_call_output message ' +
        'user function_call function_call_output message'
      ).split(' '),
      same_history: true,
      newest: true,
      compacted: true,
      has_no_compaction: false,
      remembered: [
        ['note', '', 'Ada has a dog.'],
        ['turn', 'chat-1', 'I am allergic to peanuts.'],
        ['turn', 'chat-1', 'I will keep that in mind.'],
        ['turn', 'chat-1', 'I will keep that in mind.'],
        ['turn', 'chat-1', 'My kettle is blue.'],
        ['turn', 'chat-1', 'Note: Ada has a dog.'],
        ['turn', 'chat-1', expect.stringContaining('The tool says: ')],
        ['turn', 'chat-1', 'The tool says: Remembered.'],
        ['turn', 'chat-1', 'Which allergy is there to peanuts?'],
      ],
      popped: true,
      cleared: [],
      kept: true,
      unreachable: 'I will keep that in mind.',
      refused: ['invalid_token', 'raised: invalid_token'],
      history: 4,
      contexts: { get_items: 'of the run', add_items: 'of the run', pop_item: 'of the run', clear_session: null },
      requests: 1,
      conversations: {
        classes: [true, true],
        ids: ['conv_1', 'conv_2'],
        limited: 1,
        kept: 2,
        remembered: [
          ['conv_1', 'I will keep that in mind.'],
          ['conv_1', 'My kettle is red.'],
        ],
      },
    })
  },
)
