import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import { betweenCharacters } from '../../core/values/code-points.ts'
import type { TurnRole } from '../../core/values/items.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Time } from '../components/elements.tsx'

const ROLES: Record<TurnRole, string> = { user: 'User', assistant: 'Assistant', system: 'System', tool: 'Tool' }

/** UTF-16 units of a text that stands beside another one: more than its lines have room for. */
const MAX_BESIDE = 300

const beginningOf = (text: string): string =>
  text.length > MAX_BESIDE ? `${text.slice(0, betweenCharacters(text, MAX_BESIDE))}…` : text

interface ChatProps {
  /** In the order in which they were said. */
  items: readonly MemoryItem[]
  /** Id of the memory that the page shows; the chat then has the beginnings of the texts. */
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
          <Visible text={current === undefined ? item.content.text : beginningOf(item.content.text)} />
        </p>
      </li>
    ))}
  </ol>
)
