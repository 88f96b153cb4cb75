import { z } from 'zod'
import { itemParts, storeEndpoint, type MemoryItem } from '../../memory/index.ts'
import { shared } from './arguments.ts'
import { memoryFields, toMemory } from './memory.ts'
import { tool } from './tool.ts'

export const storeMemory = tool({
  name: 'store_memory',
  title: 'Store a memory',
  description:
    'Keeps a fact for later conversations: a preference, something about the user or their work, a decision with its reason, or what they ask you to remember. Search first, and call update_memory where a memory has become wrong. Never store secrets.',
  effect: 'adds',
  operation: storeEndpoint,
  target: 'project',
  input: {
    content: shared.content,
    tags: shared.tags.optional(),
    namespace: shared.namespace,
    project_id: shared.project_id,
    ttl: shared.ttl.optional(),
    custom_id: itemParts.custom_id
      .optional()
      .meta({ description: 'A name of your own: storing under it again updates the same memory.' }),
    metadata: shared.metadata.optional(),
    idempotency_key: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, '1 to 255 printable characters without spaces.')
      .optional()
      .meta({ description: 'The same key and arguments store once, however often they are sent.' }),
  },
  output: z.looseObject({
    ...memoryFields,
    created: z.boolean().meta({ description: 'False where it updated a memory.' }),
  }),
  ask: ({ content, metadata, namespace, project_id, tags, ttl, custom_id, idempotency_key }) => ({
    body: { content: { text: content, metadata }, context: { namespace, project_id }, tags, ttl, custom_id },
    ...(idempotency_key === undefined ? {} : { headers: { 'Idempotency-Key': idempotency_key } }),
  }),
  result: ({ status, body }: { status: number; body: MemoryItem }) => ({ ...toMemory(body), created: status === 201 }),
})
