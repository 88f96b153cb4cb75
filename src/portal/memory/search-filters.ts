import { DAY_MS } from '../../core/values/durations.ts'
import { iso } from '../../core/values/clock.ts'
import type { PageContext } from '../page-context.ts'

const textIn = ({ url }: PageContext, name: string): string => url.searchParams.get(name)?.trim() ?? ''

/** The subject of the query; empty: any. */
export const subjectIn = (ctx: PageContext): string => textIn(ctx, 'subject')

/** The tags of the query: any of them. */
export const tagsIn = (ctx: PageContext): string[] =>
  textIn(ctx, 'tags')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** The parameters that narrow the memories, beside the project and the namespace. */
const NARROWING = ['subject', 'speaker', 'tags', 'from', 'until'] as const

/** Whether the address narrows the memories by anything but their place. */
export const isNarrowed = (ctx: PageContext): boolean => NARROWING.some((name) => textIn(ctx, name) !== '')

/** The filters of the API that the address asks for: tags, who said it, and the days between which it happened. */
export function filtersIn(ctx: PageContext): Record<string, unknown> {
  const [speaker, from, until] = [textIn(ctx, 'speaker'), textIn(ctx, 'from'), textIn(ctx, 'until')]
  const tags = tagsIn(ctx)
  const days = {
    ...(from === '' ? {} : { '>=': startOf(from) }),
    ...(until === '' ? {} : { '<': startOf(until, 1) }),
  }
  return {
    ...(tags.length === 0 ? {} : { tags }),
    ...(speaker === '' ? {} : { speaker }),
    ...(Object.keys(days).length === 0 ? {} : { occurred_at: days }),
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
/** The last instant that the API can name (contract §1): the day behind it has five digits in its year. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The start of a day in UTC, or of the day so many days later. What is no day goes to the API as it is, which refuses it. */
function startOf(day: string, later = 0): string {
  const at = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) ? day : iso(Math.min(at + later * DAY_MS, LAST_INSTANT))
}
