/** As the Stream-Safe Text Format of Unicode has it (Unicode Standard Annex 15, §13). */
const MAX_MARKS = 30
const LONG_RUN = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu')

/**
 * The text without what a character has beyond 30 combining marks. To normalise a text takes quadratic time of such a run: one
 * of 65,000 marks takes two seconds. No writing system has so long a one.
 */
export const withShortMarks = (text: string): string =>
  text.length > MAX_MARKS ? text.replaceAll(LONG_RUN, '$1') : text
