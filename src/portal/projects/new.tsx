import type { AppError } from '../../core/errors.ts'
import type { Project } from '../../identity/index.ts'
import { Select } from '../components/fields.tsx'
import { CreatePage } from '../components/forms.tsx'
import { attempt, errorAt } from '../form.ts'
import { listWorkspaces } from '../lists.ts'
import type { PageContext } from '../page-context.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { formAction, page } from '../route.ts'
import { ProjectFields, valuesIn } from './fields.tsx'

export const newProjectRoutes = [
  page('/portal/projects/new', (ctx) => newProjectPage(ctx, null)),

  formAction('/portal/projects', async (ctx) => {
    const body = { ...valuesIn(ctx.form), workspace_id: ctx.form.text('workspace_id') }
    const made = await attempt(ctx.api.post<Project>('/api/projects', body, ctx.form.text('once')))
    if (!made.ok) return newProjectPage(ctx, made.error)
    return redirectWithFlash(ctx, `/portal/projects/${made.value.id}`, { tone: 'ok', text: 'The project is ready.' })
  }),
]

async function newProjectPage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const workspaces = await listWorkspaces(ctx)
  return renderPage(
    ctx,
    <CreatePage
      ctx={ctx}
      title="Create a project"
      list={{ href: '/portal/projects', label: 'Projects' }}
      submit="Create project"
      error={error}
    >
      <ProjectFields values={valuesIn(ctx.form)} error={error} />
      <Select
        name="workspace_id"
        label="Workspace"
        value={ctx.form.text('workspace_id')}
        options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        hint="Its members can use the project, each according to their role."
        error={errorAt(error, 'workspace_id')}
      />
    </CreatePage>,
    error?.status ?? 200,
  )
}
