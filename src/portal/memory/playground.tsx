import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { renderPage } from '../respond.tsx'
import { Code } from '../components/code.tsx'
import { Pager } from '../components/pager.tsx'
import { Card, Empty } from '../components/elements.tsx'
import { PostForm } from '../components/fields.tsx'
import { Shell } from '../components/shell.tsx'
import type { PageContext } from '../page-context.ts'
import { page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import { ItemLine } from './item-line.tsx'
import { selectionOf, playgroundPath, SelectionForm, type ProjectSelection } from './project-selection.tsx'
import { Results, SearchCard, runSearch } from './search.tsx'
import { StoreCard } from './store-card.tsx'

export const playgroundRoute = page('/portal/memory', (ctx) => playground(ctx, null))

/** Stores, lists and searches the memories of one project. `error`: why the sent text was not stored. */
export async function playground(ctx: PageContext, error: AppError | null): Promise<Response> {
  const selection = await selectionOf(ctx)
  if (selection.projectId === '') return noProject(ctx)
  const [found, items] = await Promise.all([
    runSearch(ctx, selection),
    ctx.api.get<Page<MemoryItem>>('/v1/memory/items', {
      project_id: selection.projectId,
      namespace: selection.namespace,
      cursor: ctx.url.searchParams.get('cursor') ?? '',
    }),
  ])
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Memory"
      current="/portal/memory"
      lead="Store a text, watch it become searchable, find it by meaning and by keyword."
      actions={<SelectionForm selection={selection} />}
    >
      <div class="grid-2">
        <StoreCard ctx={ctx} selection={selection} error={error} />
        <SearchCard ctx={ctx} selection={selection} />
      </div>
      {found && <Results found={found} />}
      <Latest ctx={ctx} selection={selection} items={items} />
      <ImportExport ctx={ctx} selection={selection} />
    </Shell>,
    error?.status ?? 200,
  )
}

const Latest: FC<{ ctx: PageContext; selection: ProjectSelection; items: Page<MemoryItem> }> = ({
  ctx,
  selection,
  items,
}) => (
  <Card
    title="Memories"
    id="memories"
    lead={
      <>
        Newest first. <a href={playgroundPath(selection)}>Refresh</a>
      </>
    }
  >
    {items.data.length === 0 ? (
      <Empty icon="memory" title="Nothing stored here yet">
        <p>Type a text above, or send one from your program:</p>
        <Code
          label="Store a memory"
          text={`curl ${ctx.origin}/api/memory/store \\\n  -H 'X-API-Key: rck_…' \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify({ content: 'Ada prefers tea over coffee.', context: { project_id: selection.projectId } })}'`}
        />
      </Empty>
    ) : (
      <ul class="list" data-live-memory>
        {items.data.map((item) => (
          <li>
            <ItemLine item={item} />
          </li>
        ))}
      </ul>
    )}
    {items.has_more || ctx.url.searchParams.has('cursor') ? (
      <div class="card-foot">
        <Pager url={ctx.url} next={items.next_cursor} />
      </div>
    ) : null}
  </Card>
)

const ImportExport: FC<{ ctx: PageContext; selection: ProjectSelection }> = ({ ctx, selection }) => (
  <Card title="Import and export" lead="JSON Lines: one memory a line.">
    <div class="card-body grid-2">
      <div class="stack">
        <p class="muted">All memories of this project, with tags, metadata and lifetimes.</p>
        <div>
          <a
            class="button"
            href={`/portal/memory/export?project_id=${encodeURIComponent(selection.projectId)}`}
            download
          >
            Export
          </a>
        </div>
      </div>
      <PostForm ctx={ctx} action="/portal/memory/import" upload class="stack" label="Import">
        <input type="hidden" name="project_id" value={selection.projectId} />
        <div class="field">
          <label for="field-file">File to import</label>
          <input
            class="input"
            id="field-file"
            type="file"
            name="file"
            accept=".jsonl,.ndjson,application/x-ndjson"
            required
          />
          <span class="hint">At most 5,000 lines or 16 MiB.</span>
        </div>
        <div>
          <button class="button" type="submit">
            Import
          </button>
        </div>
      </PostForm>
    </div>
  </Card>
)

const noProject = (ctx: PageContext): Promise<Response> =>
  renderPage(
    ctx,
    <Shell ctx={ctx} title="Memory" current="/portal/memory">
      <Card>
        <Empty icon="project" title="First a project">
          <p>Memories live in projects, and you have none.</p>
          <a class="button button-primary" href="/portal/projects/new">
            Create a project
          </a>
        </Empty>
      </Card>
    </Shell>,
  )
