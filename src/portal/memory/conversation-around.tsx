import type { FC } from 'hono/jsx'
import type { Page } from '../../core/http/cursor.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Card } from '../components/elements.tsx'
import type { PageContext } from '../page-context.ts'
import { Chat, chatPath } from '../memory-lists/index.ts'

/** Items that are shown on each side of a memory. */
const BESIDE = 3

/** The memories before and after one in its conversation, with itself between them; null where it has no conversation. */
export async function readAround(ctx: PageContext, item: MemoryItem): Promise<MemoryItem[] | null> {
  const { conversation_id, namespace, project_id } = item.context
  if (conversation_id === undefined) return null
  const at = item.occurred_at ?? item.created_at
  const side = (query: Record<string, string>): Promise<Page<MemoryItem>> =>
    ctx.api.get('/v1/memory/items', { project_id, namespace, conversation_id, limit: BESIDE, ...query })
  const [before, after] = await Promise.all([
    side({ sort: '-occurred_at', occurred_before: at }),
    side({ sort: 'occurred_at', occurred_after: at }),
  ])
  return [...before.data.toReversed(), item, ...after.data]
}

export const ConversationAround: FC<{ items: readonly MemoryItem[]; item: MemoryItem }> = ({ items, item }) => {
  const { project_id, namespace, conversation_id = '' } = item.context
  return (
    <Card
      title="In its conversation"
      lead={<a href={chatPath({ project_id, namespace, conversation_id })}>Read all of it</a>}
    >
      <Chat items={items} current={item.id} />
    </Card>
  )
}
