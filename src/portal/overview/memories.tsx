import type { FC } from 'hono/jsx'
import type { MemoryItem } from '../../memory/index.ts'
import { Card } from '../components/elements.tsx'
import { ItemLine, SearchInput } from '../memory/index.ts'

/** Asks the page of the memories. */
export const SearchBox: FC<{ projectId: string }> = ({ projectId }) => (
  <form class="search-row" method="get" action="/portal/memory" role="search">
    <input type="hidden" name="project_id" value={projectId} />
    <SearchInput required />
  </form>
)

export const Newest: FC<{ items: readonly MemoryItem[]; projectId: string }> = ({ items, projectId }) => (
  <Card title="Newest memories" lead={<a href={`/portal/memory?project_id=${projectId}`}>Show all</a>}>
    <ul class="list" data-live-memory>
      {items.map((item) => (
        <li>
          <ItemLine item={item} />
        </li>
      ))}
    </ul>
  </Card>
)
