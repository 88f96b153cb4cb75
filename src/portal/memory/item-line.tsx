import type { Child, FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Badge, Tags, Time, type Tone } from '../components/elements.tsx'

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

/** A memory in a list. `children`: what is shown of its text (default: all of it). */
export const ItemLine: FC<{ item: MemoryItem; children?: Child }> = ({ item, children }) => (
  <>
    <a class="table-title clip" href={`/portal/memory/${item.id}`}>
      {children ?? <Visible text={item.content.text} />}
    </a>
    <div class="row small muted">
      {item.status === 'retired' ? <Badge tone="idle">Retired</Badge> : <EmbeddingStatus item={item} />}
      {item.context.namespace !== 'default' && <span>in {item.context.namespace}</span>}
      {item.visibility === 'private' && <span>private</span>}
      <Time at={item.occurred_at ?? item.created_at} />
      {item.tags.length > 0 && <Tags tags={item.tags} label="Tags" />}
    </div>
  </>
)
