import type { AppError } from '../../core/errors.ts'
import { SAMPLE_QUESTION } from '../../core/sample.ts'
import type { Project } from '../../identity/index.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt } from '../form.ts'
import { Id } from '../components/id.tsx'
import { DetailPage } from '../components/detail-page.tsx'
import { Snippets } from '../components/snippets.tsx'
import { requestSnippets } from '../snippets/requests.ts'
import { Card, Facts, Time } from '../components/elements.tsx'
import { Visible } from '../../auth/index.ts'
import { EditCard } from '../components/forms.tsx'
import { ConfirmDelete, nameMismatch } from '../components/confirm-delete.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import { listWorkspaces } from '../lists.ts'
import { ProjectFields, valuesIn } from './fields.tsx'
import { applyRules, RetentionCard, rulesIn } from './retention.tsx'
import { GuardFields, guardIn } from './guard.tsx'
import { ContentsCard, readContents } from './contents.tsx'

export const projectDetailRoutes = [
  page('/portal/projects/:id', (ctx) => projectPage(ctx, null)),

  formAction('/portal/projects/:id', async (ctx) => {
    const path = `/v1/projects/${ctx.params['id']}`
    const saved = await attempt(ctx.api.patch<Project>(path, valuesIn(ctx.form)))
    if (!saved.ok) return projectPage(ctx, saved.error)
    return redirectWithFlash(ctx, `/portal/projects/${ctx.params['id']}`, { tone: 'ok', text: 'Saved.' })
  }),

  formAction('/portal/projects/:id/retention', async (ctx) => {
    const rules = rulesIn(ctx.form)
    if (!rules.ok) return projectPage(ctx, rules.error)
    const path = `/v1/projects/${ctx.params['id']}`
    const saved = await attempt(ctx.api.patch<Project>(path, { retention: rules.value }))
    if (!saved.ok) return projectPage(ctx, saved.error)
    return redirectWithFlash(ctx, `/portal/projects/${ctx.params['id']}`, { tone: 'ok', text: 'The rules were saved.' })
  }),

  ...(['count', 'apply'] as const).map((verb) =>
    formAction(`/portal/projects/:id/retention/${verb}`, async (ctx) => {
      const done = await attempt(applyRules(ctx, verb === 'count'))
      if (!done.ok) return projectPage(ctx, done.error)
      return redirectWithFlash(ctx, `/portal/projects/${ctx.params['id']}`, done.value)
    }),
  ),

  formAction('/portal/projects/:id/guard', async (ctx) => {
    const path = `/v1/projects/${ctx.params['id']}`
    const saved = await attempt(ctx.api.patch<Project>(path, { guard: guardIn(ctx.form) }))
    if (!saved.ok) return projectPage(ctx, saved.error)
    return redirectWithFlash(ctx, `/portal/projects/${ctx.params['id']}`, { tone: 'ok', text: 'Saved.' })
  }),

  formAction('/portal/projects/:id/delete', async (ctx) => {
    const id = ctx.params['id'] ?? ''
    const { name } = await ctx.api.get<Project>(`/v1/projects/${id}`)
    const mismatch = nameMismatch(ctx.form, name)
    if (mismatch) return projectPage(ctx, mismatch)
    const deleted = await attempt(ctx.api.delete(`/api/projects/${id}`))
    if (!deleted.ok) return projectPage(ctx, deleted.error)
    return redirectWithFlash(ctx, '/portal/projects', {
      tone: 'ok',
      text: 'The project and its memories were deleted.',
    })
  }),
]

async function projectPage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const id = ctx.params['id'] ?? ''
  const [project, workspaces, contents] = await Promise.all([
    ctx.api.get<Project>(`/v1/projects/${id}`),
    listWorkspaces(ctx),
    readContents(ctx, id),
  ])
  const workspace = workspaces.find((one) => one.id === project.workspace_id)
  const editing = ctx.form.has('description')
  const isOfRules = /[/]retention(\/|$)/.test(ctx.url.pathname)
  const guarding = ctx.form.has('unattended')
  return renderPage(
    ctx,
    <DetailPage
      ctx={ctx}
      title="Project"
      name={project.name}
      list={{ href: '/portal/projects', label: 'Projects' }}
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
              ['Id', <Id of={project.id} />],
              [
                'Workspace',
                <a href={`/portal/workspaces/${project.workspace_id}`}>
                  <Visible text={workspace?.name ?? project.workspace_id} />
                </a>,
              ],
              ['Created', <Time at={project.created_at} />],
            ]}
          />
          <Snippets
            id="search"
            label="Search in this project"
            snippets={requestSnippets(ctx.origin, {
              path: '/api/memory/search',
              call: 'memory.search',
              body: { query: SAMPLE_QUESTION, context: { project_id: project.id } },
            })}
          />
        </div>
      </Card>
      <ContentsCard ctx={ctx} project={project} contents={contents} />
      <EditCard ctx={ctx} action={`/portal/projects/${id}`} error={editing ? error : null}>
        <ProjectFields values={editing ? valuesIn(ctx.form) : project} error={editing ? error : null} />
      </EditCard>
      <RetentionCard ctx={ctx} project={project} error={isOfRules ? error : null} />
      <EditCard
        ctx={ctx}
        title="Guard against secrets"
        action={`/portal/projects/${id}/guard`}
        error={guarding ? error : null}
      >
        <GuardFields guard={project.guard} />
      </EditCard>
      <ConfirmDelete
        ctx={ctx}
        action={`/portal/projects/${id}/delete`}
        what="project"
        name={project.name}
        consequence="Its memories become inaccessible immediately and are then erased with their vectors. This cannot be undone."
        error={editing || isOfRules || guarding ? null : error}
      />
    </DetailPage>,
    error?.status ?? 200,
  )
}
