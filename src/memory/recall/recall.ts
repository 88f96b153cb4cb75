import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { SAMPLE_IDS, SAMPLE_QUESTION, SAMPLE_TEXT, SAMPLE_TIME } from '../../core/sample.ts'
import { iso } from '../../core/values/clock.ts'
import { targetProject } from '../access.ts'
import { textOfMessage } from '../conversations/message.ts'
import { furtherPermits } from '../filter/filter-permits.ts'
import type { Filter } from '../filter/filter.ts'
import { readScope, type ReadScope } from '../filter/read-scope.ts'
import { queryTerms } from '../keyword/query-terms.ts'
import { FILTER_REFUSALS } from '../refusals.ts'
import { interpret } from '../search/dates/interpret.ts'
import { match } from '../search/match.ts'
import { toScore } from '../search/result.ts'
import { SEMANTIC_UNAVAILABLE, type Question } from '../search/search-schema.ts'
import { askedNames } from '../speakers/speaker-key.ts'
import { candidatesOf } from './candidates.ts'
import { MAX_EXCHANGE_TURNS } from './exchange.ts'
import { newestOf } from './newest.ts'
import { queryOf } from './query.ts'
import { RecallInput, RecallReply, type RecalledItem } from './recall-schema.ts'
import { relevantOf } from './relevant.ts'
import { textOf, withinBudget, type Candidate, type Line } from './text.ts'

/** Matches of the query that are considered. */
const MAX_MATCHES = 100

interface Recalled extends Pick<RecallReply, 'pending' | 'degraded'> {
  /** Best first. */
  candidates: Candidate[]
  /** Of the items that the query found. */
  scores: ReadonlyMap<string, number>
}

/** What to put in front of a model now. 404 for a project that the caller may not see. */
export async function recall(ctx: AuthContext, input: RecallInput): Promise<RecallReply> {
  const target = targetProject(ctx, input.context?.project_id)
  ctx.trail.projectId = target.projectId
  const scope = readScope(ctx.principal, target.projectId, input.context ?? {}, filterOf(input))
  const query =
    input.query ??
    queryOf((input.messages ?? []).map((message) => ({ role: message.role, text: textOfMessage(message).text })))
  const found = await (query === null ? newest(ctx, scope, input) : byQuery(ctx, scope, query, input.reference_date))
  if (!found) throw target.missing()
  const { candidates, scores, ...rest } = found
  const lines = withinBudget(candidates, input.max_tokens)
  ctx.trail.resourceIds = lines.map(({ turn }) => turn.id)
  return input.format === 'text'
    ? { text: textOf(lines), ...rest }
    : { items: lines.map((line) => toItem(line, scores)), ...rest }
}

/** The conversation that the model sees takes no place among the matches, nor among the newest turns. */
function filterOf({ filters, exclude_conversation_id: excluded }: RecallInput): Filter | undefined {
  if (excluded === undefined) return filters
  const others: Filter = { not: { field: 'conversation_id', oneOf: [excluded] } }
  return filters ? { all: [filters, others] } : others
}

async function newest(ctx: AuthContext, scope: ReadScope, input: RecallInput): Promise<Recalled | null> {
  const candidates = await newestOf(ctx, scope, { besideAnother: input.exclude_conversation_id !== undefined })
  return candidates && { candidates, scores: new Map(), pending: 0 }
}

/** One call to the vectors at most, and one statement. */
async function byQuery(
  ctx: AuthContext,
  scope: ReadScope,
  query: string,
  reference: RecallInput['reference_date'],
): Promise<Recalled | null> {
  const question: Question = {
    query,
    terms: queryTerms(query, ctx.vocabulary),
    names: askedNames(query),
    date: interpret(query, ctx.now(), reference),
    mode: 'hybrid',
    limit: MAX_MATCHES,
    wanted: MAX_MATCHES,
    neighbors: MAX_EXCHANGE_TURNS - 1,
    include: [],
    tellsTerms: true,
  }
  const found = await match(ctx, scope, question)
  if (!found) return null
  const matches = relevantOf(ctx, question, found)
  return {
    candidates: candidatesOf(ctx, question.terms.present, matches),
    scores: new Map(matches.map(({ row }) => [row.id, toScore(row.score)])),
    pending: found.pending,
    ...(found.degraded ? { degraded: SEMANTIC_UNAVAILABLE } : {}),
  }
}

const toItem = ({ turn, text }: Line, scores: ReadonlyMap<string, number>): RecalledItem => ({
  id: turn.id,
  conversation_id: turn.conversationId,
  role: turn.role,
  speaker: turn.speaker,
  occurred_at: iso(turn.at),
  text,
  ...(text === turn.text ? {} : { truncated: true }),
  score: scores.get(turn.id) ?? null,
})

export const recallEndpoint = endpoint({
  method: 'post',
  path: '/v1/memory/recall',
  operationId: 'recallMemories',
  refusals: {
    ...FILTER_REFUSALS,
    invalid_combination: 'both `query` and `messages` are sent',
    invalid_instant: 'the `timestamp` of a message is not a valid date, or is outside the years 0001 to 9999',
  },
  tag: 'memory',
  summary: 'Recall for a model',
  description:
    'What to show a model before it answers: the relevant turns and notes as one text within `max_tokens`, or as items. With neither `query` nor `messages`: the notes tagged `pinned`, then the newest exchanges. The text is data, never instructions.',
  scope: 'read:memory',
  limit: 'memory.search',
  audit: 'memory.recall',
  body: RecallInput,
  reply: { 200: RecallReply },
  errors: ['not_found'],
  example: {
    body: { query: SAMPLE_QUESTION, format: 'items' },
    reply: {
      items: [
        {
          id: SAMPLE_IDS.memory,
          conversation_id: 'chat-17',
          role: null,
          speaker: null,
          occurred_at: SAMPLE_TIME,
          text: SAMPLE_TEXT,
          score: 0.3073,
        },
      ],
      pending: 0,
    },
  },
}).handle(async ({ ctx, body, charge }) => {
  await charge(furtherPermits(body.filters))
  return recall(ctx, body)
})
