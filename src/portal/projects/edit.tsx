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
import { action, view, type PageContext } from '../page-context.ts'
import { workspacesOf } from './workspaces.ts'

const fieldsOf = ({ form }: PageContext) => ({
  name: form.text('name'),
  description: form.text('description'),
  icon: form.text('icon'),
})

export const projectEditRoutes = [
  view('/portal/projects/new', (ctx) => newProjectPage(ctx, null)),

  action('/portal/projects', async (ctx) => {
    const body = { ...fieldsOf(ctx), workspace_id: ctx.form.text('workspace_id') }
    const made = await attempt(ctx.api.post<Project>('/api/projects', body, ctx.form.text('once')))
    if (!made.ok) return newProjectPage(ctx, made.error)
    return done(ctx, `/portal/projects/${made.value.id}`, { tone: 'ok', text: 'The project is ready.' })
  }),

  view('/portal/projects/:id', (ctx) => projectPage(ctx, null)),

  action('/portal/projects/:id', async (ctx) => {
    const path = `/v1/projects/${ctx.params['id']}`
    const saved = await attempt(ctx.api.patch<Project>(path, fieldsOf(ctx)))
    if (!saved.ok) return projectPage(ctx, saved.error)
    return done(ctx, `/portal/projects/${ctx.params['id']}`, { tone: 'ok', text: 'Saved.' })
  }),

  action('/portal/projects/:id/delete', async (ctx) => {
    const id = ctx.params['id'] ?? ''
    const { name } = await ctx.api.get<Project>(`/v1/projects/${id}`)
    const mismatch = nameMismatch(ctx.form, name)
    if (mismatch) return projectPage(ctx, mismatch)
    const deleted = await attempt(ctx.api.delete(`/api/projects/${id}`))
    if (!deleted.ok) return projectPage(ctx, deleted.error)
    return done(ctx, '/portal/projects', { tone: 'ok', text: 'The project and its memories are deleted.' })
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

async function newProjectPage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const workspaces = await workspacesOf(ctx)
  return show(
    ctx,
    <CreatePage
      ctx={ctx}
      title="Create a project"
      list={{ href: '/portal/projects', label: 'Projects' }}
      submit="Create project"
      error={error}
    >
      <ProjectFields values={fieldsOf(ctx)} error={error} />
      <Select
        name="workspace_id"
        label="Workspace"
        value={ctx.form.text('workspace_id')}
        options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        hint="Its members can use the project, each by their role."
        error={errorAt(error, 'workspace_id')}
      />
    </CreatePage>,
    error?.status ?? 200,
  )
}

async function projectPage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const id = ctx.params['id'] ?? ''
  const [project, workspaces] = await Promise.all([ctx.api.get<Project>(`/v1/projects/${id}`), workspacesOf(ctx)])
  const workspace = workspaces.find((one) => one.id === project.workspace_id)
  const editing = ctx.form.has('description')
  return show(
    ctx,
    <Shell
      ctx={ctx}
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
          <Code label="Search in this project" text={searchIn(project.id, ctx.url.origin)} />
        </div>
      </Card>
      <EditCard ctx={ctx} action={`/portal/projects/${id}`} error={editing ? error : null}>
        <ProjectFields values={editing ? fieldsOf(ctx) : project} error={editing ? error : null} />
      </EditCard>
      <NameToDelete
        ctx={ctx}
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
