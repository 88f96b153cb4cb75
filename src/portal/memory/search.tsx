import type { FC } from 'hono/jsx'
import { isAppError, type AppError } from '../../core/errors.ts'
import { SAMPLE_QUESTION } from '../../core/sample.ts'
import type { SearchReply } from '../../memory/index.ts'
import { Card, Empty, Notice } from '../components/elements.tsx'
import { Choices, Field, Select } from '../components/fields.tsx'
import { Snippets } from '../components/snippets.tsx'
import type { PageContext } from '../page-context.ts'
import { requestSnippets } from '../snippets/requests.ts'
import { ItemLine } from './item-line.tsx'
import type { ProjectSelection } from './project-selection.tsx'
import { ScoreKey, Why, type NamedEmbedder } from './why.tsx'

const MODES = [
  { value: 'hybrid', label: 'Both' },
  { value: 'semantic', label: 'Meaning' },
  { value: 'keyword', label: 'Keyword' },
]

/** The tags of the query: any of them. */
export const tagsIn = (ctx: PageContext): string[] =>
  (ctx.url.searchParams.get('tags') ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** The subject of the query; empty: any. */
export const subjectIn = (ctx: PageContext): string => ctx.url.searchParams.get('subject')?.trim() ?? ''

export type SearchOutcome =
  | { query: string; body: Record<string, unknown>; reply: SearchReply }
  | { query: string; error: AppError }
  | null

/** The search that the query of the page asks for; null without one. */
export async function runSearch(ctx: PageContext, selection: ProjectSelection): Promise<SearchOutcome> {
  const asked = ctx.url.searchParams
  const query = asked.get('q')?.trim() ?? ''
  if (query === '') return null
  const tags = tagsIn(ctx)
  const threshold = asked.get('threshold') ?? ''
  const body = {
    query,
    context: {
      project_id: selection.projectId,
      namespace: selection.namespace,
      ...(subjectIn(ctx) === '' ? {} : { subject: subjectIn(ctx) }),
    },
    mode: asked.get('mode') ?? 'hybrid',
    ...(tags.length > 0 ? { filters: { tags } } : {}),
    ...(threshold === '' ? {} : { similarity_threshold: Number(threshold) }),
  }
  try {
    const include = ['score_breakdown']
    const reply = await ctx.api.search<SearchReply>('/api/memory/search', { ...body, include })
    return { query, body, reply }
  } catch (error) {
    if (isAppError(error) && error.status !== 401 && error.status !== 404) return { query, error }
    throw error
  }
}

/** The question, and beside it everything that narrows it. Without a question the filters narrow the list. */
export const SearchCard: FC<{ ctx: PageContext; selection: ProjectSelection }> = ({ ctx, selection }) => {
  const asked = ctx.url.searchParams
  return (
    <Card id="search">
      <form class="card-body" method="get" action="/portal/memory" role="search">
        <div class="search-row">
          <label class="sr-only" for="field-q">
            Question or keywords
          </label>
          <input
            class="input input-large"
            id="field-q"
            name="q"
            type="search"
            autocomplete="off"
            placeholder={SAMPLE_QUESTION}
            value={asked.get('q') ?? ''}
          />
          <button class="button button-primary button-large" type="submit">
            Search
          </button>
        </div>
        <div class="filters">
          <Choices name="mode" legend="Find" options={MODES} value={asked.get('mode') ?? 'hybrid'} />
          <Select
            name="project_id"
            id="select-project"
            label="Project"
            value={selection.projectId}
            options={selection.projects.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <Field
            name="namespace"
            id="select-namespace"
            label="Namespace"
            value={selection.namespace === '*' ? '' : selection.namespace}
            placeholder="All"
          />
          <Field name="subject" id="search-subject" label="About" placeholder="Anyone" value={subjectIn(ctx)} />
          <Field
            name="tags"
            id="search-tags"
            label="Any of these tags"
            placeholder="All"
            value={asked.get('tags') ?? ''}
          />
          <Field
            name="threshold"
            label="Minimum similarity"
            type="number"
            min="0"
            max="1"
            step="0.01"
            placeholder="Any"
            value={asked.get('threshold') ?? ''}
          />
        </div>
      </form>
    </Card>
  )
}

interface ResultsProps {
  found: NonNullable<SearchOutcome>
  embedder: NamedEmbedder
  /** The list without the question. */
  back: string
  origin: string
}

export const Results: FC<ResultsProps> = ({ found, embedder, back, origin }) => (
  <Card
    title="Results"
    id="results"
    lead={
      'reply' in found ? (
        <>
          {found.reply.total} found in {found.reply.took_ms} ms. <a href={back}>Show all memories</a>
        </>
      ) : undefined
    }
    foot={
      'reply' in found && (
        <details class="disclosure">
          <summary>Send this search from a program</summary>
          <Snippets
            id="this-search"
            label="This search"
            snippets={requestSnippets(origin, { path: '/api/memory/search', call: 'memory.search', body: found.body })}
          />
        </details>
      )
    }
  >
    {'error' in found ? (
      <div class="card-body">
        <Notice tone="danger">{found.error.detail}</Notice>
      </div>
    ) : (
      <ResultList reply={found.reply} embedder={embedder} />
    )}
  </Card>
)

const ResultList: FC<{ reply: SearchReply; embedder: NamedEmbedder }> = ({ reply, embedder }) => (
  <>
    {(reply.degraded !== undefined || reply.pending > 0) && (
      <div class="card-body">
        {reply.degraded !== undefined && (
          <Notice tone="warn">Only keywords were searched: search by meaning is unavailable right now.</Notice>
        )}
        {reply.pending > 0 && (
          <p class="small muted">
            {reply.pending} {reply.pending === 1 ? 'memory is' : 'memories are'} still being embedded and found only by
            keyword.
          </p>
        )}
      </div>
    )}
    {reply.results.length === 0 ? (
      <Empty icon="memory" title="Nothing found">
        <p>Try other words, all namespaces, or a lower minimum similarity.</p>
      </Empty>
    ) : (
      <>
        <ScoreKey reply={reply} embedder={embedder} />
        <ol class="list">
          {reply.results.map((hit) => (
            <li>
              <ItemLine item={hit} text={hit.snippet} />
              <Why hit={hit} mode={reply.mode} />
            </li>
          ))}
        </ol>
      </>
    )}
  </>
)
