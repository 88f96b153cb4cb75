import { SEMANTIC_CHARGE, USUAL_WORDS } from '../../core/values/long-turns.ts'
import { ONCE } from './ranking.ts'

/** Chosen on conversations with long answers, as `SEMANTIC_CHARGE` is. */
export const KEYWORD_EXPONENT = 0.4

/** SQL: how much longer the item `i` is than `USUAL_WORDS`, as a logarithm; 0 outside of a conversation. */
const EXCESS = `iif(i.conversation_id is null, 0, ln(max(${USUAL_WORDS}, i.word_count) / ${USUAL_WORDS}.0))`

/** SQL: what a candidate of `chargedTurns` has less of its semantic score, also where it is no hit. */
export const CHARGE = `${SEMANTIC_CHARGE} * excess`

/**
 * Selects the candidates with their places in conversations and their speakers. Long turns have less of both scores. A long
 * document may hold what several short ones do, so it has all. Only semantic scores of an absolute scale are charged.
 */
export const chargedTurns = (isRelative: boolean): string => `
  select row, hit, has_terms, passes, conversation_id, namespace, occurrence, id, speaker_key, excess,
    bm25 * exp(-${KEYWORD_EXPONENT} * excess) as bm25, semantic ${isRelative ? '' : `- ${CHARGE}`} as semantic
  from (
    select c.*, i.conversation_id, i.namespace, i.occurrence, i.id, i.speaker_key, ${EXCESS} as excess
    from candidates c cross join memory_items i on i.row = c.row ${ONCE})`
