import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { TurnRole } from '../../core/values/items.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Time } from '../components/elements.tsx'

const ROLES: Record<TurnRole, string> = { user: 'User', assistant: 'Assistant', system: 'System', tool: 'Tool' }

interface ChatProps {
  /** In the order in which they were said. */
  items: readonly MemoryItem[]
  /** The id of the one that the page is about, among which the others are cut. */
  current?: string
}

/** Memories of a conversation as a chat. The time of each leads to its page. */
export const Chat: FC<ChatProps> = ({ items, current }) => (
  <ol class="chat">
    {items.map((item) => (
      <li
        class={item.role === 'user' ? 'turn turn-user' : 'turn'}
        aria-current={item.id === current ? 'true' : undefined}
      >
        <div class="row small muted">
          <strong>
            <Visible text={item.speaker ?? (item.role === null ? 'Note' : ROLES[item.role])} />
          </strong>
          {item.id === current ? (
            <span>this memory</span>
          ) : (
            <a href={`/portal/memory/${item.id}`}>
              <Time at={item.occurred_at ?? item.created_at} />
            </a>
          )}
        </div>
        <p class={current === undefined ? 'text-block' : 'text-block clip'}>
          <Visible text={item.content.text} />
        </p>
      </li>
    ))}
  </ol>
)
