import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import type { MemoryItem, Version } from '../../memory/index.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt, errorAt } from '../form.ts'
import { Id } from '../components/id.tsx'
import { Code } from '../components/code.tsx'
import { Card, Facts, Notice, Tags, Time } from '../components/elements.tsx'
import { EventList, LiveState } from '../components/event-list.tsx'
import { Field } from '../components/fields.tsx'
import { Ask } from '../components/ask.tsx'
import { ActionButton, EditCard } from '../components/forms.tsx'
import { Shell } from '../components/shell.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import { EmbeddingStatus } from './item-line.tsx'
import { OccurredAtField } from './occurred-at-field.tsx'
import { readItem } from './item-fields.ts'
import { readSuccessors, RestoreButton, RetiredNotice, RetireForm } from './retirement.tsx'
import { listProjects } from '../lists.ts'
import { secretNotice } from './secret-notice.ts'

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

/** What was refused: a change of the memory, its retirement, or something that needs no form. */
type Refused = Partial<Record<'edit' | 'retire' | 'action', AppError>>

async function itemPage(ctx: PageContext, { edit, retire, action }: Refused = {}): Promise<Response> {
  const [item, versions, projects] = await Promise.all([
    ctx.api.get<MemoryItem>(pathOf(ctx)),
    ctx.api.get<Page<Version>>(`${pathOf(ctx)}/versions`),
    listProjects(ctx),
  ])
  const successors = await readSuccessors(ctx, item)
  const isRetired = item.status === 'retired'
  const project = projects.find(({ id }) => id === item.context.project_id)
  const back = `/portal/memory?project_id=${item.context.project_id}`
  return renderPage(
    ctx,
    <Shell ctx={ctx} title="Memory" current="/portal/memory" crumb={{ href: back, label: 'Memory' }} narrow>
      {action && <Notice tone="danger">{action.detail}</Notice>}
      {isRetired && <RetiredNotice item={item} successors={successors} />}
      {item.embedding_status === 'failed' && (
        <Notice tone="danger" title="The embedding failed">
          {item.embedding_error ?? 'The reason is unknown.'} Until it is embedded again, only keyword search finds it.
        </Notice>
      )}
      <Card>
        <div class="card-body" data-live-memory>
          <p class="text-block">
            <Visible text={item.content.text} />
          </p>
          <ItemFacts item={item} project={project?.name ?? item.context.project_id} />
        </div>
      </Card>
      {/* Another tab may have retired it: what was typed stays. */}
      {(!isRetired || edit) && <Edit ctx={ctx} item={item} error={edit ?? null} />}
      <Versions versions={versions.data} me={ctx.me.id} />
      <Events id={item.id} />
      <Card title="More">
        <div class="card-body">
          <div class="row">
            {isRetired ? (
              <RestoreButton ctx={ctx} action={`${pageOf(ctx)}/restore`} />
            ) : (
              <ActionButton ctx={ctx} action={`${pageOf(ctx)}/embed`}>
                Embed again
              </ActionButton>
            )}
            <Ask ctx={ctx} action={`${pageOf(ctx)}/delete`} verb="Delete this memory" question="Delete this memory?">
              <p>
                From now on, no search or request finds it. It is then erased with its vectors and its earlier versions.
                This cannot be undone.
              </p>
            </Ask>
          </div>
          {(!isRetired || retire) && <RetireForm ctx={ctx} action={`${pageOf(ctx)}/retire`} error={retire ?? null} />}
        </div>
      </Card>
    </Shell>,
    (edit ?? retire ?? action)?.status ?? 200,
  )
}

const ItemFacts: FC<{ item: MemoryItem; project: string }> = ({ item, project }) => (
  <Facts
    rows={[
      ['Embedding', <EmbeddingStatus item={item} withModel />],
      ['Id', <Id of={item.id} />],
      ...(item.custom_id === null ? [] : [['Your id', <Visible text={item.custom_id} />] as const]),
      ['Version', String(item.version)],
      [
        'Project',
        <a href={`/portal/projects/${item.context.project_id}`}>
          <Visible text={project} />
        </a>,
      ],
      ['Namespace', <code>{item.context.namespace}</code>],
      ['Scope', item.context.scope],
      ...(item.context.subject === undefined ? [] : [['About', <Subject item={item} />] as const]),
      ['Visible to', item.visibility === 'private' ? 'Its creator and admins' : 'Everyone who can read the project'],
      ['Tags', item.tags.length > 0 ? <Tags tags={item.tags} label="Tags" /> : 'None'],
      ...(item.occurred_at === null ? [] : [['Happened', <Time at={item.occurred_at} />] as const]),
      ['Stored', <Time at={item.created_at} />],
      ['Changed', <Time at={item.updated_at} />],
      ['Expires', item.expires_at === null ? 'Never' : <Time at={item.expires_at} />],
      ...(Object.keys(item.content.metadata).length > 0
        ? [['Metadata', <Code label="Metadata" text={JSON.stringify(item.content.metadata, null, 2)} />] as const]
        : []),
    ]}
  />
)

/** It leads to all memories about the same person or thing. */
const Subject: FC<{ item: MemoryItem }> = ({ item: { context } }) => {
  const { project_id, subject = '' } = context
  return (
    <a href={`/portal/memory?${new URLSearchParams({ project_id, subject }).toString()}`}>
      <Visible text={subject} />
    </a>
  )
}

const Edit: FC<{ ctx: PageContext; item: MemoryItem; error: AppError | null }> = ({ ctx, item, error }) => {
  const sent = ctx.form.has('text')
  const { content, tags } = item
  return (
    <EditCard ctx={ctx} action={pageOf(ctx)} error={error} lead="A changed text is embedded again.">
      <Field
        name="text"
        label="Text"
        rows={5}
        required
        value={sent ? ctx.form.raw('text') : content.text}
        error={errorAt(error, 'content.text')}
      />
      <Field
        name="tags"
        label="Tags"
        hint="Separated by commas."
        value={sent ? ctx.form.text('tags') : tags.join(', ')}
        error={errorAt(error, 'tags')}
      />
      <OccurredAtField
        value={sent ? ctx.form.text('occurred_at') : (item.occurred_at ?? '').replace('Z', '')}
        error={error}
      />
      <Field
        name="metadata"
        label="Metadata"
        rows={3}
        value={sent ? ctx.form.text('metadata') : JSON.stringify(content.metadata)}
        error={errorAt(error, 'content.metadata')}
      />
    </EditCard>
  )
}

const Events: FC<{ id: string }> = ({ id }) => (
  <Card title="Events" lead={<LiveState />}>
    <EventList channels={['memory']} memoryId={id}>
      <p>Each change of this memory appears here as it happens.</p>
    </EventList>
    <div class="card-foot">
      <a href={`/portal/audit?resource_id=${id}&page_reads=include`}>Who read and changed it: the audit log</a>
    </div>
  </Card>
)

const Versions: FC<{ versions: readonly Version[]; me: string }> = ({ versions, me }) =>
  versions.length === 0 ? null : (
    <Card title="Earlier versions" lead="The last fifty.">
      <ol class="list">
        {versions.map((version) => (
          <li>
            <div class="row small muted">
              <strong>Version {version.version}</strong>
              <Time at={version.written_at} />
              {version.written_by === me ? <span>by you</span> : <Id of={version.written_by} />}
            </div>
            <p class="text-block clip">
              <Visible text={version.text} />
            </p>
          </li>
        ))}
      </ol>
    </Card>
  )
