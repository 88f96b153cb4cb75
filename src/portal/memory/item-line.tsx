import type { Child, FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Badge, Tags, Time, type Tone } from '../components/elements.tsx'
import { ListedAuthor } from '../components/named.tsx'
import { namesOf, type Naming } from '../names.ts'
import type { PageContext } from '../page-context.ts'

const STATUS: Record<MemoryItem['embedding_status'], { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'idle' },
  processing: { label: 'Embedding', tone: 'accent' },
  completed: { label: 'Completed', tone: 'ok' },
  failed: { label: 'Failed', tone: 'danger' },
}

/** The embedding status; the script updates it on events. */
export const EmbeddingStatus: FC<{ item: MemoryItem; withModel?: boolean }> = ({ item, withModel }) => {
  const { label, tone } = STATUS[item.embedding_status]
  return (
    <span data-memory-status={item.id} data-status={item.embedding_status}>
      <Badge tone={tone} busy={item.embedding_status === 'pending' || item.embedding_status === 'processing'}>
        {label}
      </Badge>
      {withModel && item.embedding_model !== null && (
        <>
          {' '}
          by <code>{item.embedding_model}</code>
        </>
      )}
    </span>
  )
}

/** The names of who stored the memories of a list. */
export const authorsOf = (ctx: PageContext, items: readonly MemoryItem[]): Promise<Naming> =>
  namesOf(
    ctx,
    items.flatMap(({ created_by, created_via }) => [created_by, created_via]),
  )

/** A memory in a list. `children`: what is shown of its text (default: all of it). */
export const ItemLine: FC<{ item: MemoryItem; naming: Naming; children?: Child }> = ({ item, naming, children }) => (
  <>
    <a class="table-title clip" href={`/portal/memory/${item.id}`}>
      {children ?? <Visible text={item.content.text} />}
    </a>
    <div class="row small muted">
      {item.status === 'retired' ? <Badge tone="idle">Retired</Badge> : <EmbeddingStatus item={item} />}
      {item.context.namespace !== 'default' && <span>in {item.context.namespace}</span>}
      {item.visibility === 'private' && <span>private</span>}
      <Time at={item.occurred_at ?? item.created_at} />
      <span>
        <ListedAuthor id={item.created_by} via={item.created_via} naming={naming} />
      </span>
      {item.tags.length > 0 && <Tags tags={item.tags} label="Tags" />}
    </div>
  </>
)
