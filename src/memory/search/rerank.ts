import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { UnusableAnswer } from '../../core/embedding.ts'
import { invalid } from '../../core/errors.ts'
import { RerankBusy, RerankLate } from '../../core/reranking.ts'

/** Results that a reranker orders at most. */
export const MAX_RERANKED = 30
export const RerankInput = z
  .union([z.boolean(), z.strictObject({ top: z.int().min(1).max(MAX_RERANKED).default(MAX_RERANKED) })])
  .meta({ description: 'A cross-encoder reorders the best `top` results before they are cut to `limit`.' })

/** The reason why an answer keeps the order of its scores although a reranker was asked for. */
const REASONS = ['unavailable', 'late', 'unusable', 'busy'] as const
type Reason = (typeof REASONS)[number]

export const RerankReply = z.object({
  applied: z.boolean(),
  reason: z.enum(REASONS).optional().meta({
    description:
      'Only if reranking was not applied: the reranker failed, was late or returned no usable scores, or other searches of the same user or tenant kept it busy.',
  }),
})
type RerankOutcome = z.infer<typeof RerankReply>

/** Results to be reranked; 0: the caller asked for none. 422 where a reranker is asked for and none is configured. */
export function rerankTop({ reranker }: AuthContext, asked: z.output<typeof RerankInput> | undefined): number {
  if (asked === undefined || asked === false) return 0
  if (!reranker) throw invalid('rerank', 'not_configured', 'This service has no reranker.')
  return asked === true ? MAX_RERANKED : asked.top
}

interface Reranked<Match> {
  /** Best first. Those that the reranker read have its score. */
  matches: (Match & { rerankScore?: number })[]
  outcome: RerankOutcome
}

/** Orders the first `top` matches by the reranker, and leaves the others behind them. After a failure it answers the reason too. */
export async function rerank<Match extends object>(
  ctx: AuthContext,
  { query, top }: { query: string; top: number },
  matches: readonly Match[],
  textOf: (match: Match) => string,
): Promise<Reranked<Match>> {
  const best = matches.slice(0, top)
  const rest = matches.slice(top)
  if (!ctx.reranker || best.length === 0) return { matches: rest, outcome: { applied: true } }
  try {
    const scores = await ctx.reranker.rerank(query, best.map(textOf))
    const ordered = best
      .map((match, at) => ({ ...match, rerankScore: scores[at] ?? 0 }))
      .toSorted((a, b) => b.rerankScore - a.rerankScore)
    return { matches: [...ordered, ...rest], outcome: { applied: true } }
  } catch (error) {
    const reason = reasonOf(error)
    ctx.log.error({ event: 'search.not_reranked', request_id: ctx.requestId, reason }, error)
    return { matches: [...matches], outcome: { applied: false, reason } }
  }
}

function reasonOf(error: unknown): Reason {
  if (error instanceof RerankLate) return 'late'
  if (error instanceof RerankBusy) return 'busy'
  return error instanceof UnusableAnswer ? 'unusable' : 'unavailable'
}
