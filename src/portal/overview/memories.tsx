import type { FC } from 'hono/jsx'
import type { MemoryItem } from '../../memory/index.ts'
import { Card } from '../components/elements.tsx'
import { ItemLine, SearchInput } from '../memory/index.ts'
import type { Naming } from '../names.ts'

/** Asks the page of the memories. */
export const SearchBox: FC<{ projectId: string }> = ({ projectId }) => (
  <form class="search-row" method="get" action="/portal/memory" role="search">
    <input type="hidden" name="project_id" value={projectId} />
    <SearchInput required />
  </form>
)

export interface NewestProps {
  projectId: string
  items: readonly MemoryItem[]
  naming: Naming
}

export const Newest: FC<NewestProps> = ({ items, projectId, naming }) => (
  <Card title="Newest memories" lead={<a href={`/portal/memory?project_id=${projectId}`}>Show all</a>}>
    <ul class="list" data-live-memory>
      {items.map((item) => (
        <li>
          <ItemLine item={item} naming={naming} />
        </li>
      ))}
    </ul>
  </Card>
)
