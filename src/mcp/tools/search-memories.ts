import { z } from 'zod'
import { MAX_TOKENS, withinTokens } from '../../core/values/token-budget.ts'
import { SearchInput, searchEndpoint, type SearchReply } from '../../memory/index.ts'
import { shared } from './arguments.ts'
import { memoryFields, toMemory } from './memory.ts'
import { tool } from './tool.ts'

const DEFAULT_MAX_TOKENS = 4_000

export const searchMemories = tool({
  name: 'search_memories',
  title: 'Search memories',
  description:
    'Finds stored memories by meaning and by keyword, best first. Call it before you answer anything that earlier conversations, preferences, people or decisions could affect. Use plain words and the names that matter; try other words if you get few results.',
  effect: 'reads',
  operation: searchEndpoint,
  target: 'project',
  input: {
    query: SearchInput.shape.query.meta({ description: 'What to look for, in plain words.' }),
    limit: SearchInput.shape.limit.meta({ description: 'Maximum number of memories to return.' }),
    tags: shared.tags.optional().meta({ description: 'Only memories with these tags.' }),
    tags_match: z
      .enum(['any', 'all'])
      .optional()
      .meta({ description: 'Whether a memory needs any of the tags or all of them.' }),
    namespace: shared.readNamespace,
    project_id: shared.project_id,
    max_tokens: z.int().min(1).max(MAX_TOKENS).default(DEFAULT_MAX_TOKENS).meta({
      description:
        'Token budget for the results, estimated at three characters per token. Returns whole memories, at least one.',
    }),
  },
  output: z.looseObject({
    results: z.array(z.looseObject({ ...memoryFields, score: z.number(), similarity: z.number().nullable() })),
    total: z.number().meta({ description: 'Number of matches that were considered.' }),
    truncated: z.boolean().meta({ description: 'Whether results were left out because of max_tokens.' }),
    left_out: z
      .array(z.string())
      .meta({ description: 'Ids of memories left out because of max_tokens: read them with get_memory.' }),
  }),
  ask: ({ query, limit, tags, tags_match, namespace, project_id }) => ({
    body: {
      query,
      limit,
      context: { namespace, project_id },
      ...(tags === undefined || tags.length === 0 ? {} : { filters: { tags, tags_match: tags_match ?? 'any' } }),
    },
  }),
  result: ({ body }: { body: SearchReply }, { max_tokens }) => {
    const results = body.results.map((one) => ({ ...toMemory(one), score: one.score, similarity: one.similarity }))
    const kept = withinTokens(results, max_tokens, (one) => [JSON.stringify(one)])
    const leftOut = results.slice(kept.length).map(({ id }) => id)
    return {
      results: kept,
      total: body.total,
      truncated: leftOut.length > 0,
      left_out: leftOut,
      ...(body.degraded === undefined ? {} : { degraded: body.degraded }),
    }
  },
})
