import { expect, test } from 'vitest'
import { agentHome } from '../../support/agent-home.ts'
import { claudeCode, later, readSessions, writeLines } from './support.ts'

async function home() {
  const own = await agentHome('https://a.example')
  const say = claudeCode(own.folder)
  const read = async (...lines: (object | string)[]) =>
    readSessions(own.io, await writeLines(own.home, 's-1.jsonl', lines), 'claude-code')
  return { ...own, ...say, read }
}

const text = (value: string) => ({ type: 'text', text: value })

test('prompts and last answers, by the ids and in the place of the hooks; the rest is left out by name', async () => {
  const { read, prompt, answer } = await home()
  const { lines, said, counts, unread } = await read(
    { type: 'queue-operation', sessionId: 's-1' },
    prompt(1, 'p-1', 'Where do we deploy?  '),
    answer(2, [{ type: 'thinking', thinking: 'I look.' }]),
    answer(3, [text('I look at the files.')]),
    answer(4, [{ type: 'tool_use', id: 't', name: 'Read', input: {} }]),
    prompt(5, 'p-1', [{ type: 'tool_result', tool_use_id: 't', content: 'region: fra' }]),
    answer(6, [text('\nTo Frankfurt.  ')]),
    prompt(7, 'p-2', [text('And this one?'), { type: 'image', source: {} }]),
    prompt(8, 'p-2', 'I mean the picture.'),
  )
  expect(lines[0]).toEqual({
    content: { text: 'Where do we deploy?  ', metadata: { source: 'claude-code' } },
    context: { namespace: 'repo:github.com/acme/api', conversation_id: 'claude-code:s-1' },
    visibility: 'private',
    occurred_at: later(1),
    turn: { role: 'user', speaker: null, message_id: 'p-1:prompt', part: 0 },
  })
  expect(said).toEqual([
    ['p-1:prompt', 'Where do we deploy?  '],
    ['p-1:answer', 'To Frankfurt.'],
    ['p-2:prompt', 'And this one?'],
    ['p-2:prompt.2', 'I mean the picture.'],
  ])
  expect(unread).toEqual([])
  expect(counts).toEqual({
    'line of the agent itself': 1,
    thinking: 1,
    'tool call': 1,
    'tool result': 1,
    image: 1,
    'text before the last answer': 1,
  })
})

test('what the program writes in the name of the person, and what subagents say, is left out', async () => {
  const { read, prompt, answer } = await home()
  const { said, counts } = await read(
    answer(0, [text('Behind nothing.')]),
    prompt(1, 'p-1', '<command-name>/clear</command-name>'),
    prompt(2, 'p-2', '<local-command-stdout></local-command-stdout>'),
    prompt(3, 'p-3', 'Caveat.', { isMeta: true }),
    prompt(4, 'p-4', 'The session so far.', { isCompactSummary: true }),
    prompt(5, 'p-5', 'Look at the tests.', { isSidechain: true }),
    prompt(6, 'p-6', 'Deploy.'),
    answer(7, [text('API Error: 529')], { isApiErrorMessage: true }),
    answer(8, [text(' ')]),
    prompt(9, 'p-6', [text('[Request interrupted by user]')]),
  )
  expect(said).toEqual([['p-6:prompt', 'Deploy.']])
  expect(counts).toEqual({
    'line of the agent itself': 7,
    'session of a subagent': 1,
    'message without text': 1,
  })
})

test('what follows a command is no answer to the prompt before it', async () => {
  const { read, prompt, answer } = await home()
  const { said, counts } = await read(
    prompt(1, 'p-1', 'Deploy.'),
    answer(2, [text('Done.')]),
    prompt(3, 'p-2', '<command-message>review</command-message>'),
    prompt(4, 'p-2', 'Review the branch.', { isMeta: true }),
    answer(5, [text('The branch is fine.')]),
    prompt(6, 'p-3', 'A task has ended.', { isMeta: true }),
    answer(7, [text('Noted.')]),
  )
  expect(said).toEqual([
    ['p-1:prompt', 'Deploy.'],
    ['p-1:answer', 'Done.'],
  ])
  expect(counts).toEqual({ 'line of the agent itself': 5 })
})

test('a fork has its own turns alone: its copies have the id of its first prompt', async () => {
  const { read, prompt, answer } = await home()
  const copied = { requestSessionId: 's-0' }
  const { said, counts } = await read(
    prompt(1, 'p-3', 'One.'),
    answer(2, [text('I look.')], copied),
    answer(3, [{ type: 'tool_use' }], copied),
    prompt(4, 'p-3', [{ type: 'tool_result' }]),
    answer(5, [text('Done.')], copied),
    prompt(6, 'p-3', 'Two.'),
    answer(7, [text('Done.')], copied),
    prompt(8, 'p-3', 'Three.'),
    answer(9, [text('Mine.')]),
    prompt(10, 'p-4', 'Four.'),
    answer(11, [text('Mine too.')], { requestSessionId: 's-1' }),
  )
  expect(said).toEqual([
    ['p-3:prompt', 'Three.'],
    ['p-3:answer', 'Mine.'],
    ['p-4:prompt', 'Four.'],
    ['p-4:answer', 'Mine too.'],
  ])
  expect(counts).toEqual({ 'copy of a turn of another session': 2, 'tool result': 1 })
})

test.each([
  ['answered', true],
  ['not answered', false],
])('a fork whose copies end with a prompt without an answer, its own prompt %s', async (_, isAnswered) => {
  const { read, prompt, answer } = await home()
  const { said, counts } = await read(
    prompt(1, 'p-3', 'One.'),
    answer(2, [text('Done.')], { requestSessionId: 's-0' }),
    prompt(3, 'p-3', 'Not answered.'),
    prompt(4, 'p-3', [text('[Request interrupted by user]')]),
    prompt(5, 'p-3', 'Mine.'),
    ...(isAnswered
      ? [answer(6, [{ type: 'tool_use' }]), prompt(7, 'p-3', 'Mine too.'), answer(8, [text('Done, too.')])]
      : []),
  )
  expect(said).toEqual([
    ['p-3:prompt', 'Mine.'],
    ...(isAnswered
      ? [
          ['p-3:prompt.2', 'Mine too.'],
          ['p-3:answer', 'Done, too.'],
        ]
      : []),
  ])
  expect(counts['copy of a turn of another session']).toBe(2)
})

test('a version that does not number its prompts: their own ids', async () => {
  const { read, prompt, answer } = await home()
  const { said } = await read(prompt(1, undefined, 'One.'), answer(2, 'Two.'), prompt(3, undefined, 'Three.'))
  expect(said).toEqual([
    ['user-1:prompt', 'One.'],
    ['user-1:answer', 'Two.'],
    ['user-3:prompt', 'Three.'],
  ])
})

test('a line that is cut off is named, and the others are read', async () => {
  const { read, prompt } = await home()
  const { said, unread } = await read(prompt(1, 'p-1', 'One.'), '{"type":"us', 'null')
  expect(said).toEqual([['p-1:prompt', 'One.']])
  expect(unread).toEqual(['s-1.jsonl, line 2: it is not a JSON object', 's-1.jsonl, line 3: it is not a JSON object'])
})
