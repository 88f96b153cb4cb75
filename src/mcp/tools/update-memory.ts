import { z } from 'zod'
import { updateItemEndpoint, type MemoryItem, type MemoryItemWritten } from '../../memory/index.ts'
import { shared } from './arguments.ts'
import { authorIn, shownWritten, WrittenMemoryOutput } from './memory.ts'
import { tool } from './tool.ts'

export const updateMemory = tool({
  name: 'update_memory',
  title: 'Update a memory',
  description:
    'Changes the words, tags or metadata of a memory that stays the same memory. If a new fact replaces it, call store_memory with supersedes. Omitted fields do not change; tags and metadata are replaced as a whole. The earlier text is kept as a version.',
  effect: 'replaces',
  operation: updateItemEndpoint,
  target: 'item',
  input: {
    id: shared.id,
    content: shared.content.optional(),
    tags: shared.tags.optional(),
    metadata: shared.metadata.optional().meta({ description: 'Replaces the metadata, or changes keys of it.' }),
    merge_metadata: z.boolean().optional().meta({
      description: 'Whether metadata changes only the keys that it names; null removes a key.',
    }),
    ttl: shared.ttl
      .nullable()
      .optional()
      .meta({ description: 'Seconds from now until the memory is forgotten; null for never.' }),
    if_version: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'The version that you read: the update fails if the memory has changed since then.' }),
  },
  output: WrittenMemoryOutput,
  authored: authorIn,
  ask: ({ id, content, metadata, merge_metadata, tags, ttl, if_version }) => ({
    params: { id },
    body: {
      ...(content === undefined && metadata === undefined ? {} : { content: { text: content, metadata } }),
      merge_metadata,
      tags,
      ttl,
    },
    ...(if_version === undefined ? {} : { headers: { 'If-Match': `"${if_version}"` } }),
  }),
  result: ({ body }: { body: MemoryItem | MemoryItemWritten }, _, { reader }) => shownWritten(body, reader),
})
