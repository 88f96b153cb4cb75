import { Visible } from '../../auth/index.ts'
import { notFound } from '../../core/errors.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Chat } from './chat.tsx'
import { EmptyList, isEmptyList } from './empty-list.tsx'
import { Card } from '../components/elements.tsx'
import { Pager } from '../components/pager.tsx'
import { Shell } from '../components/shell.tsx'
import { renderPage } from '../respond.tsx'
import { page } from '../route.ts'

/** A conversation to read from its beginning, its notes among its turns. */
export const chatRoute = page('/portal/conversations/chat', async (ctx) => {
  const asked = ctx.url.searchParams
  const [projectId, namespace] = [asked.get('project_id') ?? '', asked.get('namespace') || 'default']
  const id = asked.get('conversation_id') ?? ''
  if (id === '') throw notFound('conversation', id)
  const items = await ctx.api.get<Page<MemoryItem>>('/v1/memory/items', {
    project_id: projectId,
    namespace,
    conversation_id: id,
    sort: 'occurred_at',
    limit: 50,
    cursor: asked.get('cursor') ?? '',
  })
  // Another person's conversation is empty, as one that never was.
  if (isEmptyList(items, ctx.url)) throw notFound('conversation', id)
  const list = `/portal/conversations?${new URLSearchParams({ project_id: projectId }).toString()}`
  const subject = items.data[0]?.context.subject
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Conversation"
      heading={<Visible text={id} />}
      isLong
      current="/portal/memory"
      crumb={{ href: list, label: 'Conversations' }}
      lead={
        <>
          In namespace <code>{namespace}</code>
          {subject !== undefined && (
            <>
              , about <Visible text={subject} />
            </>
          )}
          . Click a time to open its memory.
        </>
      }
      narrow
    >
      <Card>
        {items.data.length === 0 ? (
          <EmptyList icon="agent" what="memories" page={items} url={ctx.url} unfiltered={null} />
        ) : (
          <Chat items={items.data} />
        )}
      </Card>
      <Pager url={ctx.url} next={items.next_cursor} first="← Beginning" further="Later →" />
    </Shell>,
  )
})
