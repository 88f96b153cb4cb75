import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Card } from '../components/elements.tsx'
import type { PageContext } from '../page-context.ts'
import { Chat } from './chat.tsx'

/** Items that are shown on each side of a memory. */
const BESIDE = 3

/** The memories before and after one in its conversation, with itself between them; null where it has no conversation. */
export async function readAround(ctx: PageContext, item: MemoryItem): Promise<MemoryItem[] | null> {
  const { conversation_id, namespace, project_id } = item.context
  if (conversation_id === undefined) return null
  // A comparison by `occurred_at` leaves out items without it, which a conversation rarely mixes with others.
  const [by, at] = item.occurred_at === null ? ['created', item.created_at] : ['occurred', item.occurred_at]
  const side = (sort: string, bound: string): Promise<Page<MemoryItem>> =>
    ctx.api.get('/v1/memory/items', { project_id, namespace, conversation_id, sort, [bound]: at, limit: BESIDE })
  const [before, after] = await Promise.all([side(`-${by}_at`, `${by}_before`), side(`${by}_at`, `${by}_after`)])
  return [...before.data.toReversed(), item, ...after.data]
}

export const ConversationAround: FC<{ items: readonly MemoryItem[]; item: MemoryItem }> = ({ items, item }) => (
  <Card title="In its conversation" lead={<Visible text={item.context.conversation_id ?? ''} />}>
    <Chat items={items} current={item.id} />
  </Card>
)
