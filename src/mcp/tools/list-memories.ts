import { z } from 'zod'
import { listItemsEndpoint, type MemoryItem } from '../../memory/index.ts'
import { shared } from './arguments.ts'
import { memoryFields, toMemory } from './memory.ts'
import { tool } from './tool.ts'

export const listMemories = tool({
  name: 'list_memories',
  title: 'List memories',
  description: 'Lists memories, newest first. To find something, call search_memories instead.',
  effect: 'reads',
  operation: listItemsEndpoint,
  target: 'project',
  input: {
    tags: shared.tags.optional().meta({ description: 'Only memories with one of these tags.' }),
    namespace: shared.readNamespace,
    project_id: shared.project_id,
    cursor: z.string().min(1).max(1024).optional().meta({ description: 'next_cursor from the previous page.' }),
    limit: z.int().min(1).max(100).default(20),
  },
  output: z.looseObject({
    memories: z.array(z.looseObject(memoryFields)),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  ask: ({ tags, namespace, project_id, cursor, limit }) => ({ query: { tags, namespace, project_id, cursor, limit } }),
  result: ({ body }: { body: { data: MemoryItem[]; has_more: boolean; next_cursor: string | null } }) => ({
    memories: body.data.map(toMemory),
    has_more: body.has_more,
    next_cursor: body.next_cursor,
  }),
})
