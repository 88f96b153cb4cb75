import { expect, test } from 'vitest'
import { fromChatgpt } from '../../../../src/cli/convert/chats/chatgpt.ts'
import { exportPath, read } from './support.ts'

const DINNER = '68a00000-0000-8000-8000-000000000001'

const line = (text: string, occurred_at: string, [role, message_id]: [string, string]) => ({
  content: { text, metadata: { source: 'chatgpt', title: 'Dinner for Ada' } },
  context: { conversation_id: DINNER },
  occurred_at,
  turn: { role, speaker: null, message_id, part: 0 },
})

test('the messages from current_node to the root, and by name what is left out', async () => {
  const { lines, counts, unread, leftOutByReason } = await read(exportPath('chatgpt.json'), 'chatgpt')
  expect(lines).toEqual([
    line('Ada is allergic to peanuts.\nWhat can I cook with what is in this picture?', '2026-03-01T09:00:00.500Z', [
      'user',
      'u1',
    ]),
    line('Mushroom risotto. It needs no nuts.', '2026-03-01T09:00:22.750Z', ['assistant', 'a4']),
    // Its create_time is null: it follows the message before it.
    line('Thank you, she will love it.', '2026-03-01T09:00:22.751Z', ['user', 'u2']),
    {
      content: { text: 'The ferry leaves at nine.', metadata: { source: 'chatgpt' } },
      context: { conversation_id: '68a00000-0000-8000-8000-000000000002' },
      occurred_at: '2026-03-01T21:20:00.000Z',
      turn: { role: 'user', speaker: 'Grace', message_id: 'x1', part: 0 },
    },
  ])
  expect(unread).toEqual([])
  expect(counts).toEqual({
    'hidden message': 2,
    image: 1,
    thinking: 1,
    'tool call': 1,
    'tool message': 1,
    audio: 1,
    'message of another branch': 1,
  })
  expect(leftOutByReason.list()[0]?.from).toEqual(['"Dinner for Ada"'])
})

const message = (id: string, parent: string | null, text: unknown, more: object = {}) => ({
  id,
  parent,
  children: [],
  message: { id, author: { role: 'user' }, create_time: 1_772_355_600, content: { parts: [text] }, ...more },
})

const conversationOf = (nodes: { id: string }[], more: object = {}) =>
  fromChatgpt({ id: 'c', mapping: Object.fromEntries(nodes.map((node) => [node.id, node])), ...more }, 'here')

const textsOf = (converted: ReturnType<typeof fromChatgpt>) =>
  'reason' in converted ? converted.reason : converted.messages.map(({ text }) => text)

test('without a current_node, the branch of the newest message', () => {
  const nodes = [
    message('1', null, 'one'),
    message('2', '1', 'two', { create_time: 1_772_355_700 }),
    message('3', '1', 'three', { create_time: 1_772_355_650 }),
  ]
  expect(textsOf(conversationOf(nodes))).toEqual(['one', 'two'])
  expect(textsOf(conversationOf(nodes, { current_node: 'gone' }))).toEqual(['one', 'two'])
})

test('a tree with a circle ends, and a parent that is missing is a root', () => {
  const circle = [message('1', '2', 'one'), message('2', '1', 'two')]
  expect(textsOf(conversationOf(circle, { current_node: '2' }))).toEqual(['one', 'two'])
  expect(textsOf(conversationOf([message('1', 'gone', 'one')], { current_node: '1' }))).toEqual(['one'])
  expect(textsOf(conversationOf([message('1', '__proto__', 'one')], { current_node: '1' }))).toEqual(['one'])
})

test('text parts become one text; parts and messages of no known kind are named', () => {
  const nodes = [
    message('1', null, 'x', { content: { content_type: 'text', parts: ['one', { content_type: 'new_part' }, 'two'] } }),
    message('2', '1', ' '),
    message('3', '2', 'x', { author: { role: 'critic' } }),
    message('4', '3', 'with a file', { metadata: { attachments: [{ name: 'a.pdf', mime_type: 'application/pdf' }] } }),
    message('5', '4', 'x', { content: { content_type: 'user_editable_context', user_profile: 'I cook.' } }),
    message('6', '5', 'x', { content: null, author: null }),
  ]
  const converted = conversationOf(nodes, { current_node: '6' })
  expect(textsOf(converted)).toEqual(['one\ntwo', 'with a file'])
  expect('leftOut' in converted && [...converted.leftOut]).toEqual([
    ['part of new_part', 1],
    ['message without text', 1],
    ['message of critic', 1],
    ['attached file', 1],
    ['custom instructions', 1],
    ['message of undefined', 1],
  ])
})

test('a conversation without an id is known by its first message', () => {
  const nodes = [{ id: 'root', message: null }, message('1', 'root', ''), message('2', '1', 'My kettle is blue.')]
  const converted = conversationOf(nodes, { id: null, title: null, create_time: null, current_node: '2' })
  expect(converted).toMatchObject({ id: '1', title: null, messages: [{ id: '2', text: 'My kettle is blue.' }] })
})

test.each([
  [7, 'it has no conversation_id'],
  [{ mapping: {} }, 'it has no conversation_id'],
  [{ id: 'c' }, 'it has no messages in "mapping"'],
  [{ id: 'c', mapping: [] }, 'it has no messages in "mapping"'],
])('%j is left out', (record, reason) => {
  expect(fromChatgpt(record, 'here')).toEqual({ from: 'here', reason, kind: 'unread' })
})
