import { z } from 'zod'
import type { MemoryItem, MemoryItemWritten } from '../../memory/index.ts'
import { bytesFor } from '../budget/cost.ts'
import { partFrom } from '../budget/part.ts'
import { shownWithin, type Showable, type Shown } from '../budget/shown.ts'
import { authorship, authorshipOf, retirement, retirementOf, stored, type Reader } from './stored.ts'

/** What a result says of itself where it is only a part. Characters are code points. */
export const partFields = {
  truncated: z.literal(true).optional().meta({
    description: 'Only if the text is a part, or fields were left out: get_memory and fetch read on.',
  }),
  text_length: z.number().optional().meta({ description: 'Characters of the whole text, of which this is a part.' }),
  offset: z.number().optional().meta({ description: 'Number of the character with which this part begins.' }),
  next_offset: z.number().nullish().meta({ description: 'offset of the next part; null if this is the last one.' }),
  omitted: z.array(z.string()).optional().meta({ description: 'Fields that are empty here because they did not fit.' }),
}

/** A memory as tools show it: flat, with what a model can use. */
export const memoryFields = {
  id: z.string(),
  content: stored.content,
  tags: stored.tags,
  metadata: stored.metadata,
  project_id: z.string(),
  namespace: stored.namespace,
  subject: stored.subject,
  custom_id: stored.custom_id,
  version: z.number(),
  occurred_at: z.string().nullable().meta({ description: 'When it happened; null if unknown.' }),
  created_at: z.string(),
  updated_at: z.string(),
  expires_at: z.string().nullable(),
  ...retirement,
  ...authorship,
  ...partFields,
}

/** The output of tools that answer one memory. */
export const MemoryOutput = z.looseObject(memoryFields)

const toMemory = (item: MemoryItem, reader: Reader) => ({
  id: item.id,
  content: item.content.text,
  tags: item.tags,
  metadata: item.content.metadata,
  project_id: item.context.project_id,
  namespace: item.context.namespace,
  subject: item.context.subject ?? null,
  custom_id: item.custom_id,
  version: item.version,
  occurred_at: item.occurred_at,
  created_at: item.created_at,
  updated_at: item.updated_at,
  expires_at: item.expires_at,
  ...retirementOf(item),
  ...authorshipOf(item, reader),
})

export const fromStart: Showable['partOf'] = (text, maxCost) => partFrom(text, 0, maxCost)

/** `more`: members of a tool's own. */
export const showableMemory = (item: MemoryItem, reader: Reader, more: object = {}, partOf = fromStart): Showable => ({
  whole: { ...toMemory(item, reader), ...more },
  textIn: 'content',
  partOf,
})

/** The output of tools that write: without the scope to read, a memory that was there is answered in its short form. */
export const WrittenMemoryOutput = MemoryOutput.partial()
  .required({ id: true, version: true, created_at: true, updated_at: true })
  .extend({
    embedding_status: z.string().optional().meta({ description: 'Only without the scope read:memory.' }),
    warnings: z
      .array(z.object({ path: z.string(), code: z.string(), kind: z.string(), start: z.number(), end: z.number() }))
      .optional()
      .meta({
        description: 'Secrets that the write held, by kind and place: tell the user. secret_redacted was replaced.',
      }),
    warnings_omitted: z.number().optional(),
  })

/** The short form of a memory names no author. */
export const authorIn = (item: MemoryItem | MemoryItemWritten): MemoryItem[] => ('content' in item ? [item] : [])

/** What a tool that writes answers. `more`: members of its own. */
export function shownWritten(item: MemoryItem | MemoryItemWritten, reader: Reader, more: object = {}): Shown {
  const { warnings, warnings_omitted } = item
  const found = warnings ? { warnings, ...(warnings_omitted ? { warnings_omitted } : {}) } : {}
  if ('content' in item) return shownWithin(showableMemory(item, reader, { ...found, ...more }), bytesFor())
  const { status, ...short } = item
  return { ...short, ...(status === 'retired' ? { status } : {}), ...more }
}
