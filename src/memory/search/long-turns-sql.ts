import { SEMANTIC_CHARGE, USUAL_WORDS } from '../../core/long-turns.ts'

/** Chosen on conversations with long answers, as `SEMANTIC_CHARGE` is. */
export const KEYWORD_EXPONENT = 0.4

/** SQL: how much longer the item of a candidate is than `USUAL_WORDS`, as a logarithm; 0 outside of a conversation. */
const EXCESS = `(select iif(i.conversation_id is null, 0, ln(max(${USUAL_WORDS}, i.word_count) / ${USUAL_WORDS}.0))
  from memory_items i where i.row = candidates.row)`

/**
 * SQL: the candidates, of which long turns have less. A long document may hold what several short ones do, so it has all. Only
 * semantic scores of an absolute scale are charged.
 */
export const chargedCandidates = (isRelative: boolean): string => `
  (select row, hit, has_terms, passes, bm25 * exp(-${KEYWORD_EXPONENT} * excess) as bm25,
    semantic ${isRelative ? '' : `- ${SEMANTIC_CHARGE} * excess`} as semantic
  from (select *, ${EXCESS} as excess from candidates limit -1))`
