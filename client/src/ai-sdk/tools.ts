import { jsonSchema, tool, type Tool } from 'ai'
import type { Recollect } from '../index.ts'
import { requireIds } from '../require-ids.ts'
import { MAX_ITEM_CHARACTERS, storable } from '../storable.ts'

/** A schema binds no model, and the SDK does not check it. */
const MAX_QUERY_CHARACTERS = 4_096

export interface MemoryToolsOptions {
  recollect: Recollect
  /** Where the tools search and store; the model cannot leave it. */
  context?: { project_id?: string; namespace?: string }
  /** Tags of what the model stores. */
  tags?: string[]
}

/** The tools by the names that the model calls them; a type, because an interface is no `ToolSet`. */
export type MemoryTools = {
  searchMemories: Tool<{ query: string; limit?: number }, { id: string; text: string; created_at: string }[]>
  /** `known`: the same text was there. */
  storeMemory: Tool<{ text: string }, { id: string; known: boolean }>
}

/** Tools of the AI SDK with which a model searches its memory and stores in it. An empty id in `context` is a TypeError. */
export function memoryTools({ recollect, context = {}, tags = [] }: MemoryToolsOptions): MemoryTools {
  requireIds(context)
  return {
    searchMemories: tool({
      description: 'Searches stored memories by meaning and by keyword. Use words that the memory may contain.',
      inputSchema: jsonSchema<{ query: string; limit?: number }>({
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 1, maxLength: MAX_QUERY_CHARACTERS },
          limit: { type: 'integer', minimum: 1, maximum: 20, description: 'Number of results (default: 5).' },
        },
        required: ['query'],
        additionalProperties: false,
      }),
      execute: async ({ query, limit = 5 }, { abortSignal }) => {
        const found = await recollect.memory.search(
          { query: storable(query, MAX_QUERY_CHARACTERS), limit, context },
          abortSignal ? { signal: abortSignal } : {},
        )
        return found.results.map(({ id, content, created_at }) => ({ id, text: content.text, created_at }))
      },
    }),

    storeMemory: tool({
      description:
        'Stores a fact for later conversations. Send one fact per call, in a sentence that makes sense on its own.',
      inputSchema: jsonSchema<{ text: string }>({
        type: 'object',
        properties: { text: { type: 'string', minLength: 1, maxLength: 8_192 } },
        required: ['text'],
        additionalProperties: false,
      }),
      execute: async ({ text }, { abortSignal }) => {
        const item = await recollect.memory.store(
          { content: storable(text, MAX_ITEM_CHARACTERS), context, tags, deduplicate: true },
          abortSignal ? { signal: abortSignal } : {},
        )
        return { id: item.id, known: item.deduplicated === true }
      },
    }),
  }
}
