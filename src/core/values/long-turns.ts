/** Words of a turn that is no longer than most. An answer of many words resembles more questions, but answers few of them. */
export const USUAL_WORDS = 135
/**
 * What is subtracted from a turn's semantic score, times ln(words / `USUAL_WORDS`); and from its cosine where the hits of a
 * search are chosen. Both were chosen on conversations with long answers (docs/search.md).
 */
export const SEMANTIC_CHARGE = 0.1

/** What a turn of this many words is charged; 0 words: the item is no turn. The statement of a search computes the same. */
export const chargeOf = (turnWords: number): number =>
  turnWords > USUAL_WORDS ? SEMANTIC_CHARGE * Math.log(turnWords / USUAL_WORDS) : 0
