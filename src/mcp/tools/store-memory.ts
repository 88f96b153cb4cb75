import { z } from 'zod'
import { iso } from '../../core/values/clock.ts'
import { itemParts, storeEndpoint, type MemoryItem, type MemoryItemWritten } from '../../memory/index.ts'
import { shared } from './arguments.ts'
import { authorIn, shownWritten, WrittenMemoryOutput } from './memory.ts'
import { tool } from './tool.ts'

export const storeMemory = tool({
  name: 'store_memory',
  title: 'Store a memory',
  description:
    'Stores a fact for later conversations: a preference, something about the user or their work, a decision with its reason, or anything they ask you to remember. Search first: if a memory is no longer true, name it in supersedes; for the same memory in other words, call update_memory. Never store secrets.',
  effect: 'adds',
  operation: storeEndpoint,
  target: 'project',
  input: {
    content: shared.content,
    tags: shared.tags.optional(),
    namespace: shared.namespace,
    project_id: shared.project_id,
    subject: shared.subject,
    occurred_at: itemParts.occurred_at
      .optional()
      .meta({ description: 'When it happened, if not now: a date, or a time with Z.' }),
    ttl: shared.ttl.optional(),
    custom_id: itemParts.custom_id
      .optional()
      .meta({ description: 'Your own id for the memory: storing with the same custom_id again updates it.' }),
    metadata: shared.metadata.optional(),
    supersedes: itemParts.supersedes
      .optional()
      .meta({ description: 'Memories that this one replaces: they are retired, and no search finds them.' }),
    supersede_reason: shared.reason.optional(),
    idempotency_key: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable characters without spaces')
      .optional()
      .meta({ description: 'Calls with the same key and arguments store only once.' }),
  },
  output: WrittenMemoryOutput.extend({
    created: z.boolean().meta({ description: 'False if an existing memory was updated.' }),
  }),
  authored: authorIn,
  ask: ({
    content,
    metadata,
    namespace,
    project_id,
    subject,
    occurred_at,
    tags,
    ttl,
    custom_id,
    supersedes,
    supersede_reason,
    idempotency_key,
  }) => ({
    body: {
      content: { text: content, metadata },
      context: { namespace, project_id, subject },
      tags,
      ttl,
      occurred_at: occurred_at === undefined ? undefined : iso(occurred_at),
      custom_id,
      supersedes,
      supersede_reason,
    },
    ...(idempotency_key === undefined ? {} : { headers: { 'Idempotency-Key': idempotency_key } }),
  }),
  result: ({ status, body }: { status: number; body: MemoryItem | MemoryItemWritten }, _, { reader }) =>
    shownWritten(body, reader, { created: status === 201 }),
})
