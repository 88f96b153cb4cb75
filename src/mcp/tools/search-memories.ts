import { z } from 'zod'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { placeOf, SearchInput, searchEndpoint, type SearchReply } from '../../memory/index.ts'
import { bytesFor, costOf } from '../budget/cost.ts'
import { partAround } from '../budget/part.ts'
import { isInPart, shownOf, type Showable } from '../budget/shown.ts'
import { shared } from './arguments.ts'
import { memoryFields, showableMemory } from './memory.ts'
import type { Reader } from './stored.ts'
import { tool } from './tool.ts'

/** What the id of a memory and its comma cost. */
const ID_COST = costOf(SAMPLE_IDS.memory)
/** Ids of what was left out take a third of the budget at most. */
const MAX_SHARE_OF_IDS = 3

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
    subject: shared.readSubject,
    kind: shared.kind,
    after: shared.after,
    before: shared.before,
    reference_date: shared.referenceDate,
    namespace: shared.readNamespace,
    project_id: shared.project_id,
    max_tokens: shared.manyTokens,
  },
  output: z.looseObject({
    results: z.array(z.looseObject({ ...memoryFields, score: z.number(), similarity: z.number().nullable() })),
    total: z.number().meta({ description: 'Number of matches that were considered.' }),
    truncated: z
      .boolean()
      .meta({ description: 'Whether results were left out or shown in part because of max_tokens.' }),
    left_out: z
      .array(z.string())
      .meta({ description: 'Ids of memories left out because of max_tokens, best first: read them with get_memory.' }),
  }),
  authored: ({ results }: SearchReply) => results,
  ask: ({ query, limit, tags, tags_match, subject, kind, after, before, reference_date, namespace, project_id }) => ({
    body: {
      query,
      limit,
      ...(reference_date === undefined ? {} : { reference_date }),
      context: { namespace, project_id, subject },
      ...filtersOf({
        ...(tags === undefined || tags.length === 0 ? {} : { tags, tags_match: tags_match ?? 'any' }),
        ...(kind === undefined ? {} : { kind }),
        ...spanOf(after, before),
      }),
    },
  }),
  result: ({ body }: { body: SearchReply }, { max_tokens }, { reader }) => {
    const all = body.results.map((result) => showableResult(result, reader))
    const rest = { total: body.total, ...(body.degraded === undefined ? {} : { degraded: body.degraded }) }
    const maxCost = bytesFor(max_tokens) - costOf({ results: [], truncated: false, left_out: [], ...rest })
    const whole = shownOf(all, maxCost)
    if (whole.length === all.length) {
      return { results: whole, truncated: body.truncated === true || whole.some(isInPart), left_out: [], ...rest }
    }
    const maxIds = Math.floor(maxCost / MAX_SHARE_OF_IDS / ID_COST)
    const results = shownOf(all, maxCost - Math.min(maxIds, all.length - 1) * ID_COST)
    const leftOut = body.results.slice(results.length).map(({ id }) => id)
    return { results, truncated: true, left_out: leftOut.slice(0, maxIds), ...rest }
  },
})

/** A search without filters is cheaper than one with filters that let everything through. */
const filtersOf = (filters: object): { filters?: object } => (Object.keys(filters).length === 0 ? {} : { filters })

const spanOf = (after: string | undefined, before: string | undefined): { occurred_at?: object } =>
  after === undefined && before === undefined
    ? {}
    : {
        occurred_at: {
          ...(after === undefined ? {} : { '>': after }),
          ...(before === undefined ? {} : { '<': before }),
        },
      }

/** A result, of whose text the part that matches best is shown where it does not fit. */
function showableResult(result: SearchReply['results'][number], reader: Reader): Showable {
  const { score, similarity, snippet } = result
  return showableMemory(result, reader, { score, similarity }, (text, maxCost) =>
    partAround(text, placeOf(snippet, text), maxCost),
  )
}
