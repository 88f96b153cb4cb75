import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { MemorySubject } from '../../memory/index.ts'
import { Time } from '../components/elements.tsx'
import { Field } from '../components/fields.tsx'
import { Table } from '../components/table.tsx'
import { attempt } from '../form.ts'
import { counted, listProjects, listWorkspaces, mayErase, projectIn } from '../lists.ts'
import { MemoryList } from '../memory-lists/index.ts'
import { renderPage } from '../respond.tsx'
import { page } from '../route.ts'

const LIST = '/portal/erasures'
const PATH = '/portal/erasures/subjects'

/** The subjects of a project, each with the way to its memories and to its erasure. */
export const subjectsRoute = page(PATH, async (ctx) => {
  const asked = ctx.url.searchParams
  const [projects, workspaces] = await Promise.all([listProjects(ctx), listWorkspaces(ctx)])
  const projectId = projectIn(ctx, projects)
  const prefix = asked.get('prefix')?.trim() ?? ''
  const query = { project_id: projectId, prefix, cursor: asked.get('cursor') ?? '', limit: 50 }
  const found = projectId === '' ? null : await attempt(ctx.api.get<Page<MemorySubject>>('/v1/memory/subjects', query))
  return renderPage(
    ctx,
    <MemoryList
      ctx={ctx}
      path={PATH}
      title="Subjects"
      lead="The people and things that memories are about. A subject is a label: it hides nothing from anyone who can read the project."
      icon="people"
      projects={projects}
      projectId={projectId}
      found={found}
      filter={<Field name="prefix" label="Begins with" placeholder="Anything" value={prefix} />}
      isFiltered={prefix !== ''}
      whenEmpty={<p>No memory that you can read in this project names one.</p>}
      shown={(subjects) => (
        <Subjects subjects={subjects} projectId={projectId} erasable={mayErase(projects, workspaces, projectId)} />
      )}
      pages={{ first: 'First', further: 'More' }}
    />,
  )
})

const addressOf = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query).toString()}`

interface SubjectsProps {
  subjects: readonly MemorySubject[]
  projectId: string
  erasable: boolean
}

const Subjects: FC<SubjectsProps> = ({ subjects, projectId, erasable }) => (
  <Table columns={['Subject', 'Memories', 'Last change']} actions={erasable}>
    {subjects.map(({ subject, items, items_truncated, last_write_at }) => (
      <tr>
        <td class="lead" data-label="Subject">
          <a href={addressOf('/portal/memory', { project_id: projectId, subject })}>
            <Visible text={subject} />
          </a>
        </td>
        <td data-label="Memories">{counted(items, items_truncated)}</td>
        <td data-label="Last change">
          <Time at={last_write_at} />
        </td>
        {erasable && (
          <td class="end">
            <a class="button button-small" href={addressOf(`${LIST}/new`, { subject })}>
              Erase everywhere<span class="sr-only">: {subject}</span>
            </a>
          </td>
        )}
      </tr>
    ))}
  </Table>
)
