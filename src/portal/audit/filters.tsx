import type { FC } from 'hono/jsx'
import { AUDIT_OUTCOMES } from '../../audit/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { Member, Workspace } from '../../identity/index.ts'
import { ROLES_THAT } from '../../identity/index.ts'
import { DayFields } from '../components/day-fields.tsx'
import { Check, Field, Select, type Option } from '../components/fields.tsx'
import { listProjects, listWorkspaces } from '../lists.ts'
import type { PageContext } from '../page-context.ts'
import { startOfDay, ZONE, zoneOf } from '../days.ts'
import { actionsOf } from './actions.ts'

const NAMES = [
  'actor',
  'action',
  'resource_id',
  'project_id',
  'credential_id',
  'app_id',
  'outcome',
  'request_id',
] as const
/** The parameter of the page that shows what its own pages read, too. */
const SHOW_READS = 'page_reads'
/** Each workspace costs a read. */
const MAX_WORKSPACES = 5

const OUTCOMES: readonly Option[] = AUDIT_OUTCOMES.map((one) => ({ value: one, label: one }))

type Asked = Pick<PageContext, 'url'>

const asksForReads = (ctx: Asked): boolean => ctx.url.searchParams.get(SHOW_READS) === 'include'

/** Whether the log has what pages read. All that a request did is shown, since it may be the read of a page. */
export const showsReads = (ctx: Asked): boolean =>
  asksForReads(ctx) || (ctx.url.searchParams.get('request_id')?.trim() ?? '') !== ''

/** The API's filters from the query. A day stands for its start. */
export function filtersOf(ctx: Asked): Record<string, string> {
  const asked = ctx.url.searchParams
  const filters: Record<string, string> = { page_reads: showsReads(ctx) ? 'include' : 'exclude' }
  for (const name of NAMES) {
    const value = asked.get(name)?.trim() ?? ''
    if (value !== '') filters[name] = value
  }
  for (const name of ['since', 'until'] as const) {
    const day = asked.get(name) ?? ''
    if (day !== '') filters[name] = startOfDay(day, zoneOf(asked.get(ZONE) ?? ''))
  }
  return filters
}

/** What the filters offer: people and projects by name. */
export interface Choices {
  people: readonly Option[]
  projects: readonly Option[]
}

export async function choicesOf(ctx: PageContext): Promise<Choices> {
  const [projects, workspaces] = await Promise.all([listProjects(ctx), listWorkspaces(ctx)])
  return {
    people: await peopleOf(ctx, workspaces),
    projects: projects.map(({ id, name }) => ({ value: id, label: name })),
  }
}

/** The reader, and the members of the workspaces whose rows the reader sees. */
async function peopleOf(ctx: PageContext, workspaces: readonly Workspace[]): Promise<Option[]> {
  const managed = workspaces.filter(({ role }) => ROLES_THAT.manage.includes(role)).slice(0, MAX_WORKSPACES)
  const pages = await Promise.all(
    managed.map(({ id }) => ctx.api.get<Page<Member>>(`/v1/workspaces/${id}/members`, { limit: 100 })),
  )
  const named = new Map(pages.flatMap(({ data }) => data).map((one) => [one.user_id, labelOf(one)]))
  named.delete(ctx.me.id)
  return [{ value: ctx.me.id, label: 'You' }, ...Array.from(named, ([value, label]) => ({ value, label }))]
}

const labelOf = ({ kind, name, email }: Member): string =>
  kind === 'service' ? `Keys of ${name}` : `${name}, ${email}`

/** The filters of the log. A value that no list holds stays as it was asked for. */
export const Filters: FC<{ ctx: PageContext; choices: Choices }> = ({ ctx, choices }) => {
  const value = (name: string): string => ctx.url.searchParams.get(name) ?? ''
  const pick = (name: string, any: string, options: readonly Option[]) => {
    const chosen = value(name)
    const known = chosen === '' || options.some((option) => option.value === chosen)
    return {
      name,
      value: chosen,
      options: [{ value: '', label: any }, ...options, ...(known ? [] : [{ value: chosen, label: chosen }])],
    }
  }
  const actions = actionsOf(ctx).map((action) => ({ value: action, label: action }))
  return (
    <form class="form" method="get" action="/portal/audit" role="search" aria-label="Filters">
      <div class="form-row form-row-3">
        <Select label="Action" {...pick('action', 'Every action', actions)} />
        <Select label="Who" {...pick('actor', 'Everybody', choices.people)} />
        <Select label="Project" {...pick('project_id', 'Every project', choices.projects)} />
        <Select label="Outcome" {...pick('outcome', 'Every outcome', OUTCOMES)} />
        <DayFields
          ctx={ctx}
          days={[
            { name: 'since', label: 'From', value: value('since') },
            { name: 'until', label: 'Before', value: value('until') },
          ]}
        />
        <Field name="resource_id" label="Resource id" placeholder="mem_…" value={value('resource_id')} />
        <Field name="credential_id" label="Credential id" placeholder="key_…" value={value('credential_id')} />
        <Field name="request_id" label="Request id" placeholder="req_…" value={value('request_id')} />
        <Field name="app_id" label="App client id" placeholder="app_…" value={value('app_id')} />
      </div>
      <div class="row row-between">
        <Check name={SHOW_READS} value="include" checked={asksForReads(ctx)} label="Include reads by these pages" />
        <span class="row">
          <a class="button button-quiet" href="/portal/audit">
            Clear
          </a>
          <button class="button button-primary" type="submit">
            Filter
          </button>
        </span>
      </div>
    </form>
  )
}
