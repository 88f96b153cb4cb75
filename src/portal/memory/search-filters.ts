import { startOfDay, ZONE, zoneOf } from '../days.ts'
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
  const zone = zoneOf(textIn(ctx, ZONE))
  const days = {
    ...(from === '' ? {} : { '>=': startOfDay(from, zone) }),
    ...(until === '' ? {} : { '<': startOfDay(until, zone, 1) }),
  }
  return {
    ...(tags.length === 0 ? {} : { tags }),
    ...(speaker === '' ? {} : { speaker }),
    ...(Object.keys(days).length === 0 ? {} : { occurred_at: days }),
  }
}
