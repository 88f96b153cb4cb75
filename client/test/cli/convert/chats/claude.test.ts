import { expect, test } from 'vitest'
import { fromClaude } from '../../../../src/cli/convert/chats/claude.ts'
import { exportPath, read } from './support.ts'

test('the branch with the newest leaf, its texts, and by name what is left out', async () => {
  const { lines, counts, unread } = await read(exportPath('claude.json'), 'claude')
  const tour = (text: string, occurred_at: string, role: string, message_id: string) => ({
    content: { text, metadata: { source: 'claude', title: 'Harbour tour' } },
    context: { conversation_id: 'c1a00000-0000-4000-8000-000000000001' },
    occurred_at,
    turn: { role, speaker: null, message_id, part: 0 },
  })
  const untitled = (text: string, occurred_at: string, role: string, message_id: string) => ({
    ...tour(text, occurred_at, role, message_id),
    content: { text, metadata: { source: 'claude' } },
    context: { conversation_id: 'c1a00000-0000-4000-8000-000000000002' },
  })
  expect(lines).toEqual([
    tour('Grace gets seasick. Can she take the harbour tour?', '2026-03-01T09:00:00.123Z', 'user', 'm1'),
    tour('The water is calm in the morning.\n\nBook the first boat.', '2026-03-01T09:01:00.000Z', 'assistant', 'm3'),
    untitled('An export of 2024 has no blocks.', '2024-01-01T08:00:00.000Z', 'user', 'n1'),
    // The same instant: it stays behind the message that it answers.
    untitled('Its messages stand in their order.', '2024-01-01T08:00:00.001Z', 'assistant', 'n2'),
  ])
  expect(unread).toEqual([])
  expect(counts).toEqual({
    'text of an attached file': 2,
    'attached file': 1,
    thinking: 1,
    'tool call': 1,
    'tool result': 1,
    'block of token_budget': 1,
    'message without text': 1,
    'message of another branch': 1,
  })
})

const message = (uuid: string, parent: string | undefined, created_at: string, more: object = {}) => ({
  uuid,
  text: uuid,
  sender: 'human',
  created_at,
  ...(parent === undefined ? {} : { parent_message_uuid: parent }),
  ...more,
})

const idsOf = (chat_messages: unknown) => {
  const converted = fromClaude({ uuid: 'c', name: null, chat_messages }, 'here')
  return 'reason' in converted ? converted.reason : converted.messages.map(({ id }) => id)
}

test('leaves of one instant: the last one; a circle has no leaf and ends', () => {
  const at = '2026-03-01T09:00:00Z'
  expect(idsOf([message('1', 'root', at), message('2', '1', at), message('3', '1', at)])).toEqual(['1', '3'])
  expect(idsOf([message('1', '2', at), message('2', '1', at)])).toEqual(['1', '2'])
})

test('a message of a third party and a record that is none are left out', () => {
  const at = '2026-03-01T09:00:00Z'
  expect(idsOf([message('1', undefined, at), message('2', undefined, at, { sender: 'tool' }), 7])).toEqual(['1'])
})

test('empty blocks of text leave the text of the message as it is, and others do not', () => {
  const at = '2026-03-01T09:00:00Z'
  const withBlocks = (uuid: string, ...content: object[]) => message(uuid, undefined, at, { content })
  const empty = { type: 'text', text: null }
  expect(
    idsOf([
      withBlocks('1', empty),
      withBlocks('2', { ...empty, text: ' ' }),
      withBlocks('3', empty, { type: 'tool_use' }),
      withBlocks('4'),
    ]),
  ).toEqual(['1', '2', '4'])
})

test.each([
  [null, 'it has no uuid'],
  [{ chat_messages: [] }, 'it has no uuid'],
  [{ uuid: 'c' }, 'it has no chat_messages'],
])('%j is left out', (record, reason) => {
  expect(fromClaude(record, 'here')).toEqual({ from: 'here', reason, kind: 'unread' })
})
