import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { Project } from '../../identity/index.ts'
import { done, show } from '../answer.tsx'
import { attempt, errorAt } from '../form.ts'
import { Card, Code, Facts, Time } from '../parts/bits.tsx'
import { Visible } from '../../auth/index.ts'
import { Field, Select } from '../parts/fields.tsx'
import { CreatePage, EditCard } from '../parts/forms.tsx'
import { NameToDelete, nameMismatch } from '../parts/delete.tsx'
import { Shell } from '../parts/shell.tsx'
import { action, view, type Visit } from '../visit.ts'
import { workspacesOf } from './workspaces.ts'

const fieldsOf = ({ form }: Visit) => ({
  name: form.text('name'),
  description: form.text('description'),
  icon: form.text('icon'),
})

export const projectEditRoutes = [
  view('/portal/projects/new', (visit) => newProjectPage(visit, null)),

  action('/portal/projects', async (visit) => {
    const body = { ...fieldsOf(visit), workspace_id: visit.form.text('workspace_id') }
    const made = await attempt(visit.api.post<Project>('/api/projects', body, visit.form.text('once')))
    if (!made.ok) return newProjectPage(visit, made.error)
    return done(visit, `/portal/projects/${made.value.id}`, { tone: 'ok', text: 'The project is ready.' })
  }),

  view('/portal/projects/:id', (visit) => projectPage(visit, null)),

  action('/portal/projects/:id', async (visit) => {
    const path = `/v1/projects/${visit.params['id']}`
    const saved = await attempt(visit.api.patch<Project>(path, fieldsOf(visit)))
    if (!saved.ok) return projectPage(visit, saved.error)
    return done(visit, `/portal/projects/${visit.params['id']}`, { tone: 'ok', text: 'Saved.' })
  }),

  action('/portal/projects/:id/delete', async (visit) => {
    const id = visit.params['id'] ?? ''
    const { name } = await visit.api.get<Project>(`/v1/projects/${id}`)
    const mismatch = nameMismatch(visit.form, name)
    if (mismatch) return projectPage(visit, mismatch)
    const deleted = await attempt(visit.api.delete(`/api/projects/${id}`))
    if (!deleted.ok) return projectPage(visit, deleted.error)
    return done(visit, '/portal/projects', { tone: 'ok', text: 'The project and its memories are deleted.' })
  }),
]

const ProjectFields: FC<{ values: { name: string; description: string; icon: string }; error: AppError | null }> = ({
  values,
  error,
}) => (
  <>
    <Field
      name="name"
      label="Name"
      required
      maxlength={120}
      value={values.name}
      placeholder="Support bot"
      error={errorAt(error, 'name')}
    />
    <Field
      name="description"
      label="Description"
      rows={3}
      maxlength={2000}
      value={values.description}
      error={errorAt(error, 'description')}
    />
    <Field
      name="icon"
      label="Icon"
      maxlength={64}
      value={values.icon}
      hint="An emoji, or nothing."
      error={errorAt(error, 'icon')}
    />
  </>
)

async function newProjectPage(visit: Visit, error: AppError | null): Promise<Response> {
  const workspaces = await workspacesOf(visit)
  return show(
    visit,
    <CreatePage
      visit={visit}
      title="Create a project"
      list={{ href: '/portal/projects', label: 'Projects' }}
      submit="Create project"
      error={error}
    >
      <ProjectFields values={fieldsOf(visit)} error={error} />
      <Select
        name="workspace_id"
        label="Workspace"
        value={visit.form.text('workspace_id')}
        options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        hint="Its members can use the project, each by their role."
        error={errorAt(error, 'workspace_id')}
      />
    </CreatePage>,
    error?.status ?? 200,
  )
}

async function projectPage(visit: Visit, error: AppError | null): Promise<Response> {
  const id = visit.params['id'] ?? ''
  const [project, workspaces] = await Promise.all([visit.api.get<Project>(`/v1/projects/${id}`), workspacesOf(visit)])
  const workspace = workspaces.find((one) => one.id === project.workspace_id)
  const editing = visit.form.has('description')
  return show(
    visit,
    <Shell
      visit={visit}
      title="Project"
      heading={<Visible text={project.name} />}
      current="/portal/projects"
      crumb={{ href: '/portal/projects', label: 'Projects' }}
      actions={
        <a class="button" href={`/portal/memory?project_id=${id}`}>
          Open its memories
        </a>
      }
      narrow
    >
      <Card>
        <div class="card-body">
          <Facts
            rows={[
              ['Id', <code>{project.id}</code>],
              [
                'Workspace',
                <a href={`/portal/workspaces/${project.workspace_id}`}>
                  <Visible text={workspace?.name ?? project.workspace_id} />
                </a>,
              ],
              ['Made', <Time at={project.created_at} />],
            ]}
          />
          <Code label="Search in this project" text={searchIn(project.id, visit.url.origin)} />
        </div>
      </Card>
      <EditCard visit={visit} action={`/portal/projects/${id}`} error={editing ? error : null}>
        <ProjectFields values={editing ? fieldsOf(visit) : project} error={editing ? error : null} />
      </EditCard>
      <NameToDelete
        visit={visit}
        action={`/portal/projects/${id}/delete`}
        what="project"
        name={project.name}
        consequence="Its memories are out of reach at once, and then erased with their vectors. This cannot be undone."
        error={editing ? null : error}
      />
    </Shell>,
    error?.status ?? 200,
  )
}

const searchIn = (projectId: string, origin: string): string =>
  `curl ${origin}/api/memory/search \\\n  -H 'X-API-Key: rck_…' \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify({ query: 'What does Ada drink?', context: { project_id: projectId } })}'`
