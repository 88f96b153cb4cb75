import type { FC } from 'hono/jsx'
import { SearchInput } from './search-input.tsx'
import { Card } from '../components/elements.tsx'
import { DayFields } from '../components/day-fields.tsx'
import { Choices, Field, Select } from '../components/fields.tsx'
import type { PageContext } from '../page-context.ts'
import type { ProjectSelection } from './project-selection.tsx'

const MODES = [
  { value: 'hybrid', label: 'Hybrid' },
  { value: 'semantic', label: 'Semantic' },
  { value: 'keyword', label: 'Keyword' },
]

/** The question, and below it everything that narrows it. Without a question the filters narrow the list. */
export const SearchCard: FC<{ ctx: PageContext; selection: ProjectSelection }> = ({ ctx, selection }) => {
  const asked = (name: string): string => ctx.url.searchParams.get(name) ?? ''
  return (
    <Card id="search">
      <form class="card-body" method="get" action="/portal/memory" role="search">
        {asked('status') === 'retired' && <input type="hidden" name="status" value="retired" />}
        <div class="search-row">
          <SearchInput value={asked('q')} />
        </div>
        <div class="filters">
          <Choices name="mode" legend="Mode" options={MODES} value={asked('mode') || 'hybrid'} />
          <Select
            name="project_id"
            id="select-project"
            label="Project"
            value={selection.projectId}
            options={selection.projects.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <Field
            name="namespace"
            id="select-namespace"
            label="Namespace"
            value={selection.namespace === '*' ? '' : selection.namespace}
            placeholder="All"
          />
          <Field
            name="threshold"
            label="Minimum similarity"
            type="number"
            min="0"
            max="1"
            step="0.01"
            placeholder="Any"
            value={asked('threshold')}
          />
        </div>
        <div class="filters filters-more">
          <Field
            name="subject"
            id="search-subject"
            label="About"
            note=" (exact)"
            placeholder="Anyone"
            value={asked('subject')}
          />
          <Field
            name="speaker"
            id="search-speaker"
            label="Said by"
            note=" (exact)"
            placeholder="Anyone"
            value={asked('speaker')}
          />
          <Field name="tags" id="search-tags" label="Any of these tags" placeholder="Any" value={asked('tags')} />
          <DayFields
            ctx={ctx}
            days={[
              { name: 'from', id: 'search-from', label: 'From', value: asked('from') },
              { name: 'until', id: 'search-until', label: 'Until', value: asked('until') },
            ]}
          />
        </div>
      </form>
    </Card>
  )
}
