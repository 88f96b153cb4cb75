import type { FC } from 'hono/jsx'
import { SAMPLE_QUESTION } from '../../core/sample.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Card } from '../components/elements.tsx'
import { ItemLine } from '../memory/index.ts'

/** Asks the page of the memories. */
export const SearchBox: FC<{ projectId: string }> = ({ projectId }) => (
  <form class="search-row" method="get" action="/portal/memory" role="search">
    <input type="hidden" name="project_id" value={projectId} />
    <label class="sr-only" for="field-q">
      Question or keywords
    </label>
    <input
      class="input input-large"
      id="field-q"
      name="q"
      type="search"
      required
      autocomplete="off"
      placeholder={SAMPLE_QUESTION}
    />
    <button class="button button-primary button-large" type="submit">
      Search
    </button>
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
