import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../src/cli/run.ts'
import { exportPath } from '../convert/chats/support.ts'
import { testIo } from '../support/io.ts'

const dryRunOf = async (args: string[], terminal = false) => {
  const { io, out, err } = testIo({ terminal, columns: 100 })
  const exit = await run(io, ['import', ...args, '--dry-run'], '1.0.0')
  return { exit, out: out(), err: err() }
}

test('a dry run counts, and names speakers, first lines and what is left out; it needs no login', async () => {
  const { exit, out, err } = await dryRunOf(['--from', 'chatgpt', exportPath('chatgpt.json')])
  expect(exit).toBe(0)
  expect(JSON.parse(out)).toEqual({
    dry_run: true,
    lines: 4,
    messages: 4,
    conversations: 2,
    roles: { user: 3, assistant: 1 },
    speakers: { Grace: 1 },
    earliest: '2026-03-01T09:00:00.500Z',
    latest: '2026-03-01T21:20:00.000Z',
    first: [
      {
        title: 'Dinner for Ada',
        occurred_at: '2026-03-01T09:00:00.500Z',
        role: 'user',
        speaker: null,
        text: 'Ada is allergic to peanuts.',
      },
      {
        title: null,
        occurred_at: '2026-03-01T21:20:00.000Z',
        role: 'user',
        speaker: 'Grace',
        text: 'The ferry leaves at nine.',
      },
    ],
    left_out: [],
    left_out_by_reason: expect.arrayContaining([
      { reason: 'hidden message', count: 2, places: 1, from: ['"Dinner for Ada"'] },
    ]),
    notes: [],
  })
  expect(err).toContain('Not imported (hidden message): 2, from "Dinner for Ada"\n')
})

test('on a terminal it is a table', async () => {
  const { out } = await dryRunOf(['--from', 'claude', exportPath('claude.json')], true)
  expect(out).toContain(
    'Dry run: nothing is stored. An import would send 4 messages in 2 conversations, from 2024-01-01 08:00 to 2026-03-01 09:01.',
  )
  expect(out).toContain('Roles: user 2, assistant 2\n')
  expect(out).toMatch(/2026-03-01 09:00 +user +Harbour tour +Grace gets seasick\. Can she take the harbour tour\?/)
})

test('the other formats have one too: items, and lines as they stand', async () => {
  const graph = await dryRunOf(['--from', 'mcp-memory', exportPath('mcp-memory.jsonl')], true)
  expect(graph.out).toContain('An import would send 4 items.')
  const path = join(testIo().home, 'items.jsonl')
  await writeFile(path, '{"content": "a"}\n{"content": {"text": 7}, "turn": 1}\nnot JSON\n7\n')
  const lines = await dryRunOf([path])
  expect(JSON.parse(lines.out)).toMatchObject({ lines: 4, messages: 0, first: [{ text: 'a' }, { text: '' }] })
})

test('a record that cannot be read makes the exit code 1, as in the import', async () => {
  const path = join(testIo().home, 'memory.jsonl')
  await writeFile(path, '{"type": "note"}\n')
  expect(await dryRunOf(['--from', 'mcp-memory', path])).toMatchObject({ exit: 1 })
})

test.each([
  [['--prune'], 'cannot be used with option'],
  [['--restart'], 'cannot be used with option'],
  [['--in-doubt', 'send'], 'cannot be used with option'],
  [['--since', '03/04/2026'], 'Must be a date'],
])('%j beside --dry-run is a usage error', async (args, message) => {
  const { exit, err } = await dryRunOf(['--from', 'chatgpt', exportPath('chatgpt.json'), ...args])
  expect(exit).toBe(2)
  expect(err).toContain(message)
})
