import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { MemorySubject } from '../../memory/index.ts'
import { Card, Time } from '../components/elements.tsx'
import { Field } from '../components/fields.tsx'
import { Pager } from '../components/pager.tsx'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import { counted, listOf, listProjects, listWorkspaces, mayErase, projectIn } from '../lists.ts'
import { EmptyList, MemoryTabs, ProjectFilter } from '../memory-lists/index.ts'
import { renderPage } from '../respond.tsx'
import { page } from '../route.ts'

const LIST = '/portal/erasures'

/** The subjects of a project, each with the way to its memories and to its erasure. */
export const subjectsRoute = page(`${LIST}/subjects`, async (ctx) => {
  const asked = ctx.url.searchParams
  const [projects, workspaces] = await Promise.all([listProjects(ctx), listWorkspaces(ctx)])
  const projectId = projectIn(ctx, projects)
  const prefix = asked.get('prefix')?.trim() ?? ''
  const subjects =
    projectId === ''
      ? null
      : await ctx.api.get<Page<MemorySubject>>('/v1/memory/subjects', {
          project_id: projectId,
          prefix,
          cursor: asked.get('cursor') ?? '',
          limit: 50,
        })
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Subjects"
      current="/portal/memory"
      lead="The people and things that memories are about. A subject is a label: it hides nothing from anyone who can read the project."
    >
      <MemoryTabs current={`${LIST}/subjects`} projectId={projectId} />
      <ProjectFilter path={`${LIST}/subjects`} label="Subjects" projects={projects} projectId={projectId}>
        <Field name="prefix" label="Begins with" placeholder="Anything" value={prefix} />
      </ProjectFilter>
      {subjects && (
        <Card>
          {subjects.data.length === 0 ? (
            <EmptyList
              icon="people"
              what="subjects"
              page={subjects}
              url={ctx.url}
              unfiltered={prefix === '' ? null : listOf(`${LIST}/subjects`, projectId)}
            >
              <p>No memory that you can read in this project names one.</p>
            </EmptyList>
          ) : (
            <Subjects
              subjects={subjects.data}
              projectId={projectId}
              erasable={mayErase(projects, workspaces, projectId)}
            />
          )}
        </Card>
      )}
      {subjects && <Pager url={ctx.url} next={subjects.next_cursor} first="First" further="More" />}
    </Shell>,
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
