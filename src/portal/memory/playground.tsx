import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { renderPage } from '../respond.tsx'
import { StoreSnippets } from '../components/store-snippets.tsx'
import { Pager } from '../components/pager.tsx'
import { Card, Empty, Notice } from '../components/elements.tsx'
import { attempt, type Result } from '../form.ts'
import { Hidden, PostForm } from '../components/fields.tsx'
import { Shell } from '../components/shell.tsx'
import type { Naming } from '../names.ts'
import type { PageContext } from '../page-context.ts'
import { page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import { MemoryTabs } from '../memory-lists/index.ts'
import { authorsOf, ItemLine } from './item-line.tsx'
import { selectionOf, playgroundPath, type ProjectSelection } from './project-selection.tsx'
import { Results } from './results.tsx'
import { runSearch } from './search.ts'
import { SearchCard } from './search-card.tsx'
import { filtersIn, isNarrowed, subjectIn } from './search-filters.ts'
import { StoreCard, StoreDialog } from './store-card.tsx'

export const playgroundRoute = page('/portal/memory', (ctx) => playground(ctx, null))

/** Searches, lists and stores the memories of one project. `error`: why the sent text was not stored. */
export async function playground(ctx: PageContext, error: AppError | null): Promise<Response> {
  const selection = await selectionOf(ctx)
  if (selection.projectId === '') return noProject(ctx)
  const isSearch = (ctx.url.searchParams.get('q') ?? '').trim() !== ''
  const [found, items] = await Promise.all([runSearch(ctx, selection), isSearch ? null : listItems(ctx, selection)])
  const shown = found && 'reply' in found ? found.reply.results : items?.ok ? items.value.data : []
  const naming = await authorsOf(ctx, shown)
  // A popover opens at a click only, so a form with a fault, or one that a link asks for, stands on the page.
  const isOpen = error !== null || ctx.url.searchParams.has('store')
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Memory"
      current="/portal/memory"
      lead="Find memories by meaning and by keyword, see why they match, and store more."
      actions={!isOpen && <StoreDialog ctx={ctx} selection={selection} />}
    >
      <MemoryTabs current="/portal/memory" projectId={selection.projectId} />
      {isOpen && <StoreCard ctx={ctx} selection={selection} error={error} />}
      <SearchCard ctx={ctx} selection={selection} />
      {found && <Results ctx={ctx} found={found} naming={naming} back={playgroundPath(selection)} />}
      {items && !items.ok && <Notice tone="danger">{items.error.detail}</Notice>}
      {items?.ok && <Latest ctx={ctx} selection={selection} items={items.value} naming={naming} />}
      <ImportExport ctx={ctx} selection={selection} />
    </Shell>,
    error?.status ?? 200,
  )
}

/** The list shows current memories, or with `status=retired` in the address the retired ones. */
const showsRetired = (ctx: PageContext): boolean => ctx.url.searchParams.get('status') === 'retired'

/** The first page of the memories of the other status, with the filters of this one. */
function otherStatus({ url }: PageContext, isRetired: boolean): string {
  const query = new URLSearchParams(url.search)
  query.delete('cursor')
  if (isRetired) query.delete('status')
  else query.set('status', 'retired')
  return `${url.pathname}?${query.toString()}`
}

function listItems(ctx: PageContext, selection: ProjectSelection): Promise<Result<Page<MemoryItem>>> {
  const filters = filtersIn(ctx)
  const items = ctx.api.get<Page<MemoryItem>>('/v1/memory/items', {
    project_id: selection.projectId,
    namespace: selection.namespace,
    subject: subjectIn(ctx),
    filters: Object.keys(filters).length === 0 ? '' : JSON.stringify(filters),
    status: showsRetired(ctx) ? 'retired' : 'current',
    cursor: ctx.url.searchParams.get('cursor') ?? '',
  })
  return attempt(items)
}

interface LatestProps {
  ctx: PageContext
  selection: ProjectSelection
  items: Page<MemoryItem>
  naming: Naming
}

const Latest: FC<LatestProps> = ({ ctx, selection, items, naming }) => (
  <Card
    title={showsRetired(ctx) ? 'Retired memories' : 'Memories'}
    id="memories"
    lead={
      <>
        Newest first. <a href={ctx.url.pathname + ctx.url.search}>Refresh</a> or{' '}
        <a href={otherStatus(ctx, showsRetired(ctx))}>show {showsRetired(ctx) ? 'current' : 'retired'} memories</a>.
      </>
    }
  >
    {items.data.length === 0 && isNarrowed(ctx) ? (
      <Empty icon="memory" title="No memories match these filters">
        <p>
          <a href={playgroundPath(selection)}>Show all memories</a>
        </p>
      </Empty>
    ) : items.data.length === 0 && showsRetired(ctx) ? (
      <Empty icon="memory" title="No memories are retired">
        <p>A memory that is no longer true is retired on its own page, or by the memory that supersedes it.</p>
      </Empty>
    ) : items.data.length === 0 ? (
      <Empty icon="memory" title="Nothing stored here yet">
        <p>Store a text with the button above, or send one from your program:</p>
        <StoreSnippets origin={ctx.origin} projectId={selection.projectId} />
      </Empty>
    ) : (
      <ul class="list" data-live-memory>
        {items.data.map((item) => (
          <li>
            <ItemLine item={item} naming={naming} />
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
  <Card title="Import and export" lead="JSON Lines: one memory per line.">
    <div class="card-body grid-2">
      <div class="stack">
        <p class="muted">All memories in this project, with tags, metadata and lifetimes.</p>
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
        <Hidden name="project_id" value={selection.projectId} />
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
        <Empty icon="project" title="Create a project first">
          <p>Memories are stored in projects, and you have none yet.</p>
          <a class="button button-primary" href="/portal/projects/new">
            Create a project
          </a>
        </Empty>
      </Card>
    </Shell>,
  )
