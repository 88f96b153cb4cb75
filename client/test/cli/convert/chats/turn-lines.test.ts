import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LeftOutCounts, timesOf, type Message } from '../../../../src/cli/convert/chats/conversation.ts'
import { linesOf } from '../../../../src/cli/convert/chats/turn-lines.ts'
import { MAX_TEXT } from '../../../../src/cli/convert/split.ts'
import { testIo } from '../../support/io.ts'
import { exportPath, read } from './support.ts'

const message = (text: string, at: number | null = 1_000, id: string | null = 'm'): Message => ({
  id,
  role: 'user',
  speaker: null,
  text,
  at,
})

const conversation = (messages: Message[], more: object = {}) => ({
  id: 'c',
  title: 'A',
  startedAt: null,
  messages,
  leftOut: new LeftOutCounts(),
  ...more,
})

const OPTIONS = { app: 'chatgpt', namespace: null, since: null }

const linesIn = (...of: Parameters<typeof linesOf>) =>
  [...linesOf(...of)].map((one) => ('line' in one ? JSON.parse(one.line) : one.reason))

test.each([
  ['in order', 500, [1_000, 2_000], [1_000, 2_000]],
  ['one clock behind the other', 500, [2_000, 1_000], [2_000, 2_001]],
  ['no time between two', 500, [1_000, null, null, 2_000], [1_000, 1_001, 1_002, 2_000]],
  ['no time at the beginning', 500, [null, 1_000], [500, 1_000]],
  ['no time but that of a later message', null, [null, 1_000], [1_000, 1_001]],
  ['no time at all', null, [null, null], [null, null]],
])('times: %s', (_, startedAt, given, times) => {
  expect(timesOf({ startedAt, messages: given.map((at) => message('x', at)) })).toEqual(times)
})

test('a long text becomes parts that end with a sentence', () => {
  const sentence = 'We meet at the harbour at nine in the morning. '
  const text = sentence.repeat(3_000).trim()
  const lines = linesIn(conversation([message(text)]), OPTIONS)
  expect(lines.length).toBeGreaterThan(2)
  expect(lines.map(({ turn }) => turn.part)).toEqual(lines.map((_, n) => n))
  expect(lines.map(({ content }) => content.text).join(' ')).toBe(text)
  for (const { content, turn } of lines) {
    expect(content.text.length).toBeLessThanOrEqual(MAX_TEXT)
    expect(content.text).toMatch(/^We .*\.$/)
    expect(turn.message_id).toBe('m')
  }
  const japanese = linesIn(conversation([message('港で九時に会いましょう。'.repeat(6_000))]), OPTIONS)
  for (const { content } of japanese) expect(content.text).toMatch(/^港.*。$/)
})

test('ids beyond the bounds of an item are cut, and stay apart', () => {
  const [a, b] = ['a', 'b'].map((end) => linesIn(conversation([message('x', 1, 'm'.repeat(200) + end)]), OPTIONS)[0])
  expect(a.turn.message_id).toHaveLength(128)
  expect(a.turn.message_id).not.toBe(b.turn.message_id)
  const [line] = linesIn(conversation([message('x', 1, null)], { id: 'c'.repeat(200) }), OPTIONS)
  expect(line.context.conversation_id).toHaveLength(128)
  expect(line.turn.message_id).toBeNull()
})

test('--namespace is that of each line, and --since leaves out what is older', async () => {
  const { lines } = await read(exportPath('chatgpt.json'), 'chatgpt', { namespace: 'user:ada' })
  for (const line of lines) expect(line).toMatchObject({ context: { namespace: 'user:ada' } })
  const since = Date.parse('2026-03-01T09:00:22.751Z')
  const later = await read(exportPath('chatgpt.json'), 'chatgpt', { since })
  expect(later.lines).toEqual((await read(exportPath('chatgpt.json'), 'chatgpt')).lines.slice(2))
  expect(later.counts).toMatchObject({ 'before --since': 2 })
})

test('a message that nothing dates is not older; a format without times refuses --since', async () => {
  const options = { ...OPTIONS, since: 5_000 }
  expect(linesIn(conversation([message('x', null)]), options)).toMatchObject([{ content: { text: 'x' } }])
  const { home } = testIo()
  const mem0 = join(home, 'mem0.json')
  await writeFile(mem0, JSON.stringify([{ memory: 'old', created_at: '2025-01-01' }, { memory: 'undated' }]))
  expect(await read(mem0, 'mem0', { since: Date.parse('2026-01-01') })).toMatchObject({
    lines: [{ content: { text: 'undated' } }],
    counts: { 'before --since': 1 },
  })
  for (const format of ['jsonl', 'mcp-memory', 'markdown', 'text'] as const)
    await expect(read(mem0, format, { since: 0 })).rejects.toThrow(`--since does not apply to --from ${format}`)
})

test('a namespace cannot name fields, which a conversation does not have', async () => {
  await expect(read(exportPath('claude.json'), 'claude', { namespace: 'user:{user_id}' })).rejects.toThrow(
    'which this format does not have',
  )
})
