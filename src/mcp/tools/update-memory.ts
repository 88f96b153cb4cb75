import { z } from 'zod'
import { updateItemEndpoint, type MemoryItem } from '../../memory/index.ts'
import { shared } from './arguments.ts'
import { MemoryOutput, toMemory } from './memory.ts'
import { tool } from './tool.ts'

export const updateMemory = tool({
  name: 'update_memory',
  title: 'Update a memory',
  description:
    'Changes a memory that has become wrong or incomplete. What you do not name stays as it is; tags are replaced whole. The earlier text is kept as a version.',
  effect: 'replaces',
  operation: updateItemEndpoint,
  target: 'item',
  input: {
    id: shared.id,
    content: shared.content.optional(),
    tags: shared.tags.optional(),
    ttl: shared.ttl
      .nullable()
      .optional()
      .meta({ description: 'Seconds from now until it is forgotten; null for never.' }),
    if_version: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'The version that you read: the update fails where the memory has changed since.' }),
  },
  output: MemoryOutput,
  ask: ({ id, content, tags, ttl, if_version }) => ({
    params: { id },
    body: { ...(content === undefined ? {} : { content: { text: content } }), tags, ttl },
    ...(if_version === undefined ? {} : { headers: { 'If-Match': `"${if_version}"` } }),
  }),
  result: ({ body }: { body: MemoryItem }) => toMemory(body),
})
