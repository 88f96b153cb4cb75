import { betweenCharacters, charactersOn } from '../../core/values/code-points.ts'
import { MAX_TEXT_CHARACTERS } from '../item.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** The end of a part is looked for in this many characters before the longest one. */
const WINDOW = 8_192

/** The text in parts that an item has room for, which end with a sentence, else with a word. Together they are the text. */
export function cutText(text: string, max = MAX_TEXT_CHARACTERS): string[] {
  const parts: string[] = []
  let from = 0
  for (;;) {
    const longest = charactersOn(text, from, max)
    if (longest === text.length) break
    const end = endOfPart(text, longest, Math.min(WINDOW, Math.floor(max / 2)))
    parts.push(text.slice(from, end))
    from = end
  }
  return [...parts, text.slice(from)]
}

function endOfPart(text: string, longest: number, window: number): number {
  const least = betweenCharacters(text, longest - window)
  // The last sentence may go on behind the window, so only its beginning is an end.
  const last = [...segmenter.segment(text.slice(least, longest))].at(-1)
  if (last && last.index > 0) return least + last.index
  const space = text.lastIndexOf(' ', longest - 1)
  if (space >= least) return space + 1
  return longest
}
