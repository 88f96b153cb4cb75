import type { FC } from 'hono/jsx'
import { encodeCursor, type Page } from '../../core/http/cursor.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Card } from '../components/elements.tsx'
import { attempt, type Result } from '../form.ts'
import type { PageContext } from '../page-context.ts'
import { Chat, chatPath } from '../memory-lists/index.ts'

/** Items that are shown on each side of a memory. */
const BESIDE = 3

/** The memories of a conversation around one, with itself between them; the error where they could not be read. */
export type Around = Result<MemoryItem[]>

/** What stands around a memory in its conversation; null where it has none. */
export async function readAround(ctx: Pick<PageContext, 'api'>, item: MemoryItem): Promise<Around | null> {
  const { conversation_id, namespace, project_id } = item.context
  if (conversation_id === undefined) return null
  // The place of the item in the list, of which it need not be: a retired item is not.
  const cursor = encodeCursor(['occurred_at', Date.parse(item.occurred_at ?? item.created_at), item.id])
  const side = (sort: string): Promise<Page<MemoryItem>> =>
    ctx.api.get('/v1/memory/items', { project_id, namespace, conversation_id, sort, cursor, limit: BESIDE })
  // The rest of the page is worth showing without them.
  const read = await attempt(Promise.all([side('-occurred_at'), side('occurred_at')]), [503])
  if (!read.ok) return read
  const [before, after] = read.value
  return { ok: true, value: [...before.data.toReversed(), item, ...after.data] }
}

export const ConversationAround: FC<{ around: Around; item: MemoryItem }> = ({ around, item }) => {
  const { project_id, namespace, conversation_id = '' } = item.context
  // The page of the conversation shows what is current, and is a 404 without any.
  const isReadable = (around.ok ? around.value : [item]).some(({ status }) => status === 'current')
  return (
    <Card
      title="In its conversation"
      lead={isReadable && <a href={chatPath({ project_id, namespace, conversation_id })}>Read all of it</a>}
    >
      {around.ok ? (
        <Chat items={around.value} current={item.id} />
      ) : (
        <p class="card-body muted">The surrounding messages could not be loaded.</p>
      )}
    </Card>
  )
}
