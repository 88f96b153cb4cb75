import { diffWords } from 'diff'
import type { FC } from 'hono/jsx'
import { Shown } from '../../../auth/index.ts'
import { betweenCharacters } from '../../../core/values/code-points.ts'

/** A run of words that both texts have, or only one of them. */
interface Run {
  text: string
  in: 'both' | 'before' | 'after'
}

/** Why two texts are not marked word by word. */
const REASONS = {
  spaces: 'Only spaces and line breaks changed.',
  long: 'The change is too long to mark it word by word.',
  unlike: 'Too much of the text changed to mark it word by word.',
} as const

export type Difference = readonly Run[] | keyof typeof REASONS

/** UTF-16 units of both texts that one page compares. */
const MAX_COMPARED = 40_000
/** Words that may differ. Past that the texts have little in common. */
const MAX_EDITS = 100
/** UTF-16 units of an unchanged run that are shown beside a change. */
const SHOWN_BESIDE = 80

/** Words of every script: those of Chinese and Thai have no spaces between them. */
const WORDS = new Intl.Segmenter('und', { granularity: 'word' })

/** What each text changed in the next one of the list. The newest ones are compared first, until the page has compared enough. */
export function differencesOf(newestFirst: readonly string[]): Difference[] {
  let left = MAX_COMPARED
  return newestFirst.slice(0, -1).map((after, nth) => {
    const pair = changedParts(newestFirst[nth + 1] ?? '', after)
    const size = pair.before.length + pair.after.length
    if (size > left) return 'long'
    left -= size
    return compare(pair)
  })
}

/** The parts of two texts that differ, with some of what stands around them in both. */
interface Pair {
  before: string
  after: string
  /** Whether the texts go on before and behind the parts. */
  isCut: { start: boolean; end: boolean }
}

/** A long text often changes in one place. What both texts begin and end with needs no comparison. */
function changedParts(before: string, after: string): Pair {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  const start = betweenCharacters(before, Math.max(0, head - SHOWN_BESIDE))
  const kept = Math.max(0, tail - SHOWN_BESIDE)
  const part = (text: string): string => text.slice(start, betweenCharacters(text, text.length - kept))
  return { before: part(before), after: part(after), isCut: { start: start > 0, end: kept > 0 } }
}

function compare({ before, after, isCut }: Pair): Difference {
  const changes = diffWords(before, after, { maxEditLength: MAX_EDITS, intlSegmenter: WORDS })
  if (!changes) return 'unlike'
  // The comparison takes all white space as equal.
  if (before !== after && !changes.some(({ added, removed }) => added || removed)) return 'spaces'
  const runs = changes.map(({ value, added, removed }, nth): Run => {
    if (added || removed) return { text: value, in: added ? 'after' : 'before' }
    return { text: shortened(value, { isFirst: nth === 0, isLast: nth === changes.length - 1 }), in: 'both' }
  })
  const more: Run = { text: '…', in: 'both' }
  return [...(isCut.start ? [more] : []), ...runs, ...(isCut.end ? [more] : [])]
}

/** An unchanged run keeps only what stands beside a change. */
function shortened(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const [head, tail] = [isFirst ? 0 : SHOWN_BESIDE, isLast ? 0 : SHOWN_BESIDE]
  if (text.length <= head + tail + SHOWN_BESIDE) return text
  return `${text.slice(0, betweenCharacters(text, head))}…${tail === 0 ? '' : text.slice(betweenCharacters(text, text.length - tail))}`
}

const MARKS = { before: 'del', after: 'ins', both: 'span' } as const

/** The changes from one text to the next. */
export const Changes: FC<{ of: Difference }> = ({ of }) =>
  typeof of === 'string' ? (
    <p class="small muted">{REASONS[of]}</p>
  ) : (
    <p class="text-block difference">
      {/* One element isolates the whole text, so that it runs in the direction of its first letter. */}
      <bdi>
        {of.map((run) => {
          const Mark = MARKS[run.in]
          return (
            <Mark>
              <Shown text={run.text} />
            </Mark>
          )
        })}
      </bdi>
    </p>
  )
