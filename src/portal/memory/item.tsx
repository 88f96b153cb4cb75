import type { FC } from 'hono/jsx'
import { AppError } from '../../core/errors.ts'
import type { Project } from '../../identity/index.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt } from '../form.ts'
import { Card, Notice } from '../components/elements.tsx'
import { Ask } from '../components/ask.tsx'
import { ActionButton } from '../components/forms.tsx'
import { Shell } from '../components/shell.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import { listProjects, listWorkspaces } from '../lists.ts'
import { namesOf } from '../names.ts'
import { changesOnPage, readChanges, readSuperseded, type Change } from './history/changes.ts'
import { ConversationAround, readAround } from './conversation-around.tsx'
import { EditCard, EditDialog } from './edit.tsx'
import { Hero } from './hero.tsx'
import { ItemFacts } from './item-facts.tsx'
import { readItem } from './item-fields.ts'
import { readSuccessors, RestoreButton, RetireCard, RetireDialog, RetiredNotice } from './retirement.tsx'
import { secretNotice } from './secret-notice.ts'
import { Timeline } from './history/timeline.tsx'
import { findVersion, readVersions, type Versions } from './history/versions.ts'

const pathOf = (ctx: PageContext): string => `/v1/memory/items/${ctx.params['id']}`
const pageOf = (ctx: PageContext): string => `/portal/memory/${ctx.params['id']}`

export const itemRoutes = [
  page('/portal/memory/:id', (ctx) => itemPage(ctx)),

  formAction('/portal/memory/:id', async (ctx) => {
    const input = readItem(ctx.form)
    if (!input.ok) return itemPage(ctx, { edit: input.error })
    const saved = await attempt(ctx.api.patch<MemoryItem>(pathOf(ctx), input.value))
    if (!saved.ok) return itemPage(ctx, { edit: saved.error })
    return redirectWithFlash(ctx, pageOf(ctx), { tone: 'ok', text: `Saved.${secretNotice(saved.value)}` })
  }),

  formAction('/portal/memory/:id/bring-back', async (ctx) => {
    const number = Number(ctx.form.text('version'))
    const version = await findVersion(ctx, pathOf(ctx), number)
    if (!version) return itemPage(ctx, { action: NOT_KEPT })
    const change = { content: { text: version.text } }
    const saved = await attempt(ctx.api.patch<MemoryItem>(pathOf(ctx), change, Number(ctx.form.text('seen'))))
    if (!saved.ok) return itemPage(ctx, { action: saved.error.status === 412 ? CHANGED_SINCE : saved.error })
    const text = `The text of version ${number} is back.${secretNotice(saved.value)}`
    return redirectWithFlash(ctx, pageOf(ctx), { tone: 'ok', text })
  }),

  formAction('/portal/memory/:id/embed', async (ctx) => {
    const asked = await attempt(ctx.api.post(`${pathOf(ctx)}/embed`))
    if (!asked.ok) return itemPage(ctx, { action: asked.error })
    return redirectWithFlash(ctx, pageOf(ctx), { tone: 'ok', text: 'It is being embedded again.' })
  }),

  formAction('/portal/memory/:id/retire', async (ctx) => {
    const reason = ctx.form.text('reason')
    const retired = await attempt(ctx.api.post<MemoryItem>(`${pathOf(ctx)}/retire`, reason === '' ? {} : { reason }))
    if (!retired.ok) return itemPage(ctx, { retire: retired.error })
    const text = `The memory is retired.${secretNotice(retired.value)}`
    return redirectWithFlash(ctx, pageOf(ctx), { tone: 'ok', text })
  }),

  formAction('/portal/memory/:id/restore', async (ctx) => {
    const restored = await attempt(ctx.api.post(`${pathOf(ctx)}/restore`))
    if (!restored.ok) return itemPage(ctx, { action: restored.error })
    return redirectWithFlash(ctx, pageOf(ctx), { tone: 'ok', text: 'The memory is current again.' })
  }),

  formAction('/portal/memory/:id/delete', async (ctx) => {
    const item = await ctx.api.get<MemoryItem>(pathOf(ctx))
    const deleted = await attempt(ctx.api.delete(pathOf(ctx)))
    if (!deleted.ok) return itemPage(ctx, { action: deleted.error })
    return redirectWithFlash(ctx, `/portal/memory?project_id=${item.context.project_id}`, {
      tone: 'ok',
      text: 'The memory was deleted.',
    })
  }),
]

const NOT_KEPT = new AppError('not_found', { detail: 'This version is no longer kept.' })
const CHANGED_SINCE = new AppError('precondition_failed', {
  detail: 'The memory was changed after you opened the page. Look at its text, and bring the version back again.',
})

/** What was refused: a change of the memory, its retirement, or something that needs no form. */
type Refused = Partial<Record<'edit' | 'retire' | 'action', AppError>>

async function itemPage(ctx: PageContext, { edit, retire, action }: Refused = {}): Promise<Response> {
  const [item, versions, projects] = await Promise.all([
    ctx.api.get<MemoryItem>(pathOf(ctx)),
    readVersions(ctx, pathOf(ctx)),
    listProjects(ctx),
  ])
  const project = projects.find(({ id }) => id === item.context.project_id)
  const changesRead = readChanges(ctx, item)
  const [successors, superseded, around, mayErase, changes, naming] = await Promise.all([
    readSuccessors(ctx, item),
    versions.next === null ? readSuperseded(ctx, item) : [],
    readAround(ctx, item),
    item.context.subject !== undefined && manages(ctx, project),
    changesRead.then((all) => changesOnPage(all, versions, ctx.url.searchParams.has('cursor') ? null : item)),
    changesRead.then((all) => namesOf(ctx, idsOf(item, versions, all))),
  ])
  const isRetired = item.status === 'retired'
  const back = `/portal/memory?project_id=${item.context.project_id}`
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Memory"
      current="/portal/memory"
      crumb={{ href: back, label: 'Memories' }}
      actions={
        isRetired ? (
          <RestoreButton ctx={ctx} action={`${pageOf(ctx)}/restore`} />
        ) : (
          <>
            {!retire && <RetireDialog ctx={ctx} action={`${pageOf(ctx)}/retire`} />}
            {!edit && <EditDialog ctx={ctx} item={item} />}
          </>
        )
      }
    >
      {action && <Notice tone="danger">{action.detail}</Notice>}
      {isRetired && <RetiredNotice item={item} successors={successors} />}
      {item.embedding_status === 'failed' && (
        <Notice tone="danger" title="The embedding failed">
          {item.embedding_error ?? 'The reason is unknown.'} Until it is embedded again, only keyword search finds it.
        </Notice>
      )}
      {/* Another tab may have retired it: what was typed stays. */}
      {edit && <EditCard ctx={ctx} item={item} error={edit} />}
      {retire && <RetireCard ctx={ctx} action={`${pageOf(ctx)}/retire`} error={retire} />}
      <Hero item={item} versions={versions} changed={changes.ofText} naming={naming} />
      <div class="grid-2 grid-wide">
        <div class="stack">
          {around && <ConversationAround around={around} item={item} />}
          <Timeline
            ctx={ctx}
            item={item}
            versions={versions}
            changes={changes}
            superseded={superseded}
            naming={naming}
          />
        </div>
        <Card title="Details">
          <div class="card-body" data-live-memory>
            <ItemFacts item={item} project={project?.name ?? item.context.project_id} naming={naming} />
            <Acts ctx={ctx} item={item} mayErase={mayErase} />
          </div>
        </Card>
      </div>
    </Shell>,
    (edit ?? retire ?? action)?.status ?? 200,
  )
}

/** Whether the user administers the workspace of a project: an erasure covers such projects alone. */
async function manages(ctx: PageContext, project: Project | undefined): Promise<boolean> {
  const workspace = (await listWorkspaces(ctx)).find(({ id }) => id === project?.workspace_id)
  return workspace?.role === 'owner' || workspace?.role === 'admin'
}

/** The ids of all who wrote, and of what they wrote through. */
const idsOf = (item: MemoryItem, { shown }: Versions, changes: readonly Change[]) => [
  item.created_by,
  item.created_via,
  item.text_via,
  ...shown.flatMap(({ written_by, written_via }) => [written_by, written_via]),
  ...changes.flatMap(({ by, via }) => [by, via]),
]

/** What is rarely done to a memory. */
const Acts: FC<{ ctx: PageContext; item: MemoryItem; mayErase: boolean }> = ({ ctx, item, mayErase }) => (
  <div class="row">
    {item.status === 'current' && (
      <ActionButton ctx={ctx} action={`${pageOf(ctx)}/embed`} small>
        Embed again
      </ActionButton>
    )}
    {mayErase && item.context.subject !== undefined && (
      <a
        class="button button-small"
        href={`/portal/erasures/new?${new URLSearchParams({ subject: item.context.subject }).toString()}`}
      >
        Erase subject<span class="sr-only"> {item.context.subject}</span>
      </a>
    )}
    <Ask ctx={ctx} action={`${pageOf(ctx)}/delete`} verb="Delete this memory" question="Delete this memory?" small>
      <p>
        From now on, no search or request finds it. It is then erased with its vectors and its earlier versions. This
        cannot be undone.
      </p>
    </Ask>
  </div>
)
