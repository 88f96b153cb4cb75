import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testIo } from '../support/io.ts'
import { exportPath, read } from './chats/support.ts'

test('each observation and each relation is an item', async () => {
  const { lines, unread } = await read(exportPath('mcp-memory.jsonl'), 'mcp-memory')
  const ada = { source: 'mcp-memory', entity: 'Ada_Lovelace', entity_type: 'person' }
  expect(lines).toEqual([
    {
      content: { text: 'Ada_Lovelace: Is allergic to peanuts', metadata: ada },
      custom_id: 'mcp-memory:["Ada_Lovelace","Is allergic to peanuts"]',
      tags: ['person'],
    },
    {
      content: { text: 'Ada_Lovelace: Prefers morning meetings', metadata: ada },
      custom_id: 'mcp-memory:["Ada_Lovelace","Prefers morning meetings"]',
      tags: ['person'],
    },
    {
      content: {
        text: 'Analytical_Engine (machine)',
        metadata: { source: 'mcp-memory', entity: 'Analytical_Engine', entity_type: 'machine' },
      },
      custom_id: 'mcp-memory:["Analytical_Engine"]',
      tags: ['machine'],
    },
    {
      content: {
        text: 'Ada_Lovelace works on Analytical_Engine',
        metadata: { source: 'mcp-memory', from: 'Ada_Lovelace', relation: 'works_on', to: 'Analytical_Engine' },
      },
      custom_id: 'mcp-memory:["Ada_Lovelace","works_on","Analytical_Engine"]',
      tags: [],
    },
  ])
  expect(unread).toEqual([])
})

test('what is no fact is left out by its line, and the others stay', async () => {
  const path = join(testIo().home, 'memory.jsonl')
  const records = [
    '{"type":"entity","name":" ","observations":["x"]}',
    '{"type":"entity","name":"Ada","observations":["kept",7]}',
    '',
    '{"type":"relation","from":"Ada","to":"Grace"}',
    '{"type":"note"}',
    '[1]',
    '{"type":',
    '{"type":"entity","name":"Grace"}',
  ]
  await writeFile(path, Buffer.concat([Buffer.from(records.join('\n')), Buffer.from('\n"\xff"\n', 'latin1')]))
  const { lines, unread } = await read(path, 'mcp-memory', { namespace: 'graph' })
  expect(lines).toMatchObject([
    { content: { text: 'Ada: kept' }, context: { namespace: 'graph' } },
    { content: { text: 'Grace', metadata: { source: 'mcp-memory', entity: 'Grace' } } },
  ])
  expect(unread).toEqual([
    'line 1: it has no name',
    'line 2: observation 2 is not a text',
    'line 4: it has no from, relationType and to',
    'line 5: it is neither an entity nor a relation',
    'line 6: it is not an object',
    'line 7: it is not JSON',
    'line 9: it is not UTF-8 text',
  ])
})
