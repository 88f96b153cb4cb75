import { DAY_MS, HOUR_MS } from '../../core/values/durations.ts'
import { namelessOf } from '../components/named.tsx'
import { namesOf } from '../names.ts'
import type { PageContext } from '../page-context.ts'

/** Each span has 12 to 30 steps, which fit the page. Its counters have this step. */
export const SPANS = {
  hour: { label: 'Last hour', steps: 12, stepMs: HOUR_MS / 12, step: '5m' },
  day: { label: '24 hours', steps: 24, stepMs: HOUR_MS, step: 'hour' },
  month: { label: '30 days', steps: 30, stepMs: DAY_MS, step: 'day' },
} as const
export type SpanName = keyof typeof SPANS

export const isSpan = (name: string | null): name is SpanName => name !== null && Object.hasOwn(SPANS, name)

/** What the address asks for. */
export interface Choice {
  span: SpanName
  webhook: string | null
  withPortal: boolean
}

export function choiceIn({ url: { searchParams } }: PageContext): Choice {
  const span = searchParams.get('span')
  return {
    span: isSpan(span) ? span : 'day',
    webhook: searchParams.get('webhook'),
    withPortal: searchParams.get('portal') === 'include',
  }
}

/** The page with these choices. */
export const hrefOf = ({ span, webhook, withPortal }: Choice): string =>
  `/portal/usage?${new URLSearchParams({
    span,
    ...(webhook === null ? {} : { webhook }),
    ...(withPortal ? { portal: 'include' } : {}),
  }).toString()}`

/** The settings that every plot of the page shares. */
export interface Time {
  steps: readonly string[]
  withTime: boolean
  /** `24 hours`, at the end of each title. */
  label: string
}

const KINDS: Record<string, string> = {
  session: 'Signed in',
  portal: 'Portal pages',
  none: 'Without a project',
  other: 'All others',
}
/** Characters of an id that tell two things of one name apart. */
const TELLING = 4

/** Names for their ids; of several with the same name each has the end of its id. */
export const tellApart = (list: readonly { id: string; name: string }[]): Map<string, string> =>
  new Map(
    [...Map.groupBy(list, (one) => one.name)].flatMap(([name, same]) =>
      same.map(({ id }) => [id, same.length === 1 ? name : `${name} (…${id.slice(-TELLING)})`] as const),
    ),
  )

/** The names of keys, apps and projects, for their ids. */
export async function labelsOf(ctx: PageContext, ids: readonly string[]): Promise<(id: string) => string> {
  const { names } = await namesOf(ctx, ids)
  const named = Object.entries(names).map(([id, found]) => ({ id, name: found?.name ?? namelessOf(id) }))
  // No plot has projects beside keys and apps.
  const [projects, others] = [true, false].map((isOfProjects) =>
    tellApart(named.filter(({ id }) => id.startsWith('prj_') === isOfProjects)),
  )
  return (id) => projects?.get(id) ?? others?.get(id) ?? KINDS[id] ?? id
}
