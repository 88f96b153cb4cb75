import { z } from 'zod'
import type { Page } from '../../core/http/cursor.ts'
import { listItemsEndpoint, type MemoryItem } from '../../memory/index.ts'
import { bytesFor } from '../budget/cost.ts'
import { shared } from './arguments.ts'
import { memoryFields, showableMemory } from './memory.ts'
import { shownPage } from './shown-page.ts'
import { tool } from './tool.ts'

export const listMemories = tool({
  name: 'list_memories',
  title: 'List memories',
  description:
    'Lists memories, newest first. A page ends where its budget does; long memories are shown in part. To find something, call search_memories instead.',
  effect: 'reads',
  operation: listItemsEndpoint,
  target: 'project',
  input: {
    tags: shared.tags.optional().meta({ description: 'Only memories with one of these tags.' }),
    subject: shared.readSubject,
    kind: shared.kind,
    after: shared.after,
    before: shared.before,
    namespace: shared.readNamespace,
    project_id: shared.project_id,
    status: z
      .enum(['current', 'retired', 'any'])
      .default('current')
      .meta({ description: 'Retired memories are no longer true.' }),
    cursor: z.string().min(1).max(1024).optional().meta({ description: 'next_cursor from the previous page.' }),
    limit: z.int().min(1).max(100).default(20),
    max_tokens: shared.manyTokens,
  },
  output: z.looseObject({
    memories: z.array(z.looseObject(memoryFields)),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  authored: ({ data }: Page<MemoryItem>) => data,
  ask: ({ tags, subject, kind, after, before, namespace, project_id, status, cursor, limit }) => ({
    query: {
      tags,
      subject,
      kind,
      occurred_after: after,
      occurred_before: before,
      namespace,
      project_id,
      status,
      cursor,
      limit,
    },
  }),
  result: ({ body }: { body: Page<MemoryItem> }, { max_tokens }, { reader }) =>
    shownPage('memories', body, (item) => showableMemory(item, reader), bytesFor(max_tokens)),
})
