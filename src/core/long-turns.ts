/** Words of a turn that is no longer than most. An answer of many words is like more questions, and answers few of them. */
export const USUAL_WORDS = 135
/** Chosen on conversations with long answers (docs/search.md). */
export const SEMANTIC_CHARGE = 0.1
