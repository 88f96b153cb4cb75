import { diffWords } from 'diff'
import type { FC } from 'hono/jsx'
import { Shown } from '../../auth/index.ts'
import { betweenCharacters } from '../../core/values/code-points.ts'

/** A run of words that both texts have, or only one of them. */
interface Run {
  text: string
  in: 'both' | 'before' | 'after'
}

/** Longer texts are not compared: a page compares ten pairs. */
const MAX_COMPARED_CHARACTERS = 20_000
/** Words that may differ. Past that the texts have little in common. */
const MAX_EDITS = 400
/** UTF-16 units of an unchanged run that are shown beside a change. */
const SHOWN_BESIDE = 80

/** What became of a text, word by word. Long unchanged runs are cut; null where the texts have too little in common. */
export function differenceOf(before: string, after: string): Run[] | null {
  if (Math.max(before.length, after.length) > MAX_COMPARED_CHARACTERS) return null
  const changes = diffWords(before, after, { maxEditLength: MAX_EDITS })
  if (!changes) return null
  return changes.map(({ value, added, removed }, nth) => {
    if (added || removed) return { text: value, in: added ? 'after' : 'before' }
    return { text: shortened(value, { isFirst: nth === 0, isLast: nth === changes.length - 1 }), in: 'both' }
  })
}

/** An unchanged run keeps only what stands beside a change. */
function shortened(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const [head, tail] = [isFirst ? 0 : SHOWN_BESIDE, isLast ? 0 : SHOWN_BESIDE]
  if (text.length <= head + tail + SHOWN_BESIDE) return text
  return `${text.slice(0, betweenCharacters(text, head))}…${tail === 0 ? '' : text.slice(betweenCharacters(text, text.length - tail))}`
}

const MARKS = { before: 'del', after: 'ins', both: 'span' } as const

export const Difference: FC<{ before: string; after: string }> = ({ before, after }) => {
  const runs = differenceOf(before, after)
  if (!runs) return <p class="small muted">Too much of the text changed to mark it word by word.</p>
  return (
    <p class="text-block difference">
      <bdi>
        {runs.map((run) => {
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
}
