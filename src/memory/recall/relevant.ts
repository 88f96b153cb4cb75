import type { AuthContext } from '../../core/context.ts'
import type { Found, Match } from '../search/match.ts'
import type { Question } from '../search/search-schema.ts'
import { isCourtesy } from './asks.ts'
import { queryWordsOf, sharedWith } from './query-words.ts'

/**
 * The parameters of relevance, chosen on data (docs/search.md#recall). A cosine says something where the model knows more
 * than half of the longer words of the query: of others it compares spellings.
 */
const KNOWN_SHARE = 0.5
const NEAR = 0.45
/** With a content word of the query. */
const NEAR_WITH_WORD = 0.35
const SHARED_WORDS = 2
/** A share of the weight of the query's content words. */
const SHARED_WEIGHT = { known: 0.3, foreign: 0.2 }
/** Beside a clear match this share of its score is enough. It is more than a neighbour lends. */
const SHARE_OF_BEST = 0.55

/** The matches that say something of what is asked: the clear ones, best first, and behind them others. None without a clear one. */
export function relevantOf(ctx: AuthContext, { query, terms }: Question, { matches, frequencies }: Found): Match[] {
  const words = queryWordsOf(query, terms.present, ctx.vocabulary)
  if (words.length === 0 || isCourtesy(query)) return []
  const knows = ctx.embedder.wordShare(query) > KNOWN_SHARE
  const clear = matches.filter(({ row, hit }) => {
    const similarity = knows ? (hit?.similarity ?? 0) : 0
    const shared = sharedWith(words, row.has_terms, frequencies)
    return (
      similarity >= NEAR ||
      (similarity >= NEAR_WITH_WORD && shared.words > 0) ||
      shared.words >= SHARED_WORDS ||
      shared.share >= (knows ? SHARED_WEIGHT.known : SHARED_WEIGHT.foreign)
    )
  })
  const best = Math.max(...clear.map(unraised))
  if (clear.length === 0) return []
  const others = matches.filter((match) => unraised(match) >= SHARE_OF_BEST * best)
  return [...new Set([...clear, ...others])]
}

/** The score without what a speaker or a time of the query added: these order matches and leave none out. */
const unraised = ({ row }: Match): number => (row.score ?? 0) - (row.speaker_gain ?? 0) - (row.date ?? 0)
