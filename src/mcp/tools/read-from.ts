import { offsetOf, partFrom } from '../budget/part.ts'
import { shownWithin, type Showable, type Shown } from '../budget/shown.ts'

/** One result from a character of its text on. Where it begins, what belongs to it is worth more than its text. */
export const readFrom = (one: Showable, offset: number, maxCost: number): Shown =>
  offset === 0
    ? shownWithin(one, maxCost)
    : shownWithin(
        { ...one, inPart: true, partOf: (text, cost) => partFrom(text, offsetOf(text, offset), cost) },
        maxCost,
        maxCost / 2,
      )
