import type { FC } from 'hono/jsx'
import { isAppError, type AppError } from '../../core/errors.ts'
import type { SearchReply } from '../../memory/index.ts'
import { Card, Empty, Notice } from '../components/elements.tsx'
import { Choices, Field } from '../components/fields.tsx'
import type { PageContext } from '../page-context.ts'
import { ItemLine } from './item-line.tsx'
import type { ProjectSelection } from './project-selection.tsx'

const MODES = [
  { value: 'hybrid', label: 'Both' },
  { value: 'semantic', label: 'By meaning' },
  { value: 'keyword', label: 'By words' },
]

type Hit = SearchReply['results'][number]

export type SearchOutcome = { query: string; reply: SearchReply } | { query: string; error: AppError } | null

/** The search that the query of the page asks for; null without one. */
export async function runSearch(ctx: PageContext, selection: ProjectSelection): Promise<SearchOutcome> {
  const asked = ctx.url.searchParams
  const query = asked.get('q')?.trim() ?? ''
  if (query === '') return null
  const tags = (asked.get('tags') ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  const threshold = asked.get('threshold') ?? ''
  try {
    const reply = await ctx.api.post<SearchReply>('/api/memory/search', {
      query,
      context: { project_id: selection.projectId, namespace: selection.namespace },
      mode: asked.get('mode') ?? 'hybrid',
      ...(tags.length > 0 ? { filters: { tags } } : {}),
      ...(threshold === '' ? {} : { similarity_threshold: Number(threshold) }),
      include: ['score_breakdown'],
    })
    return { query, reply }
  } catch (error) {
    if (isAppError(error) && error.status !== 401 && error.status !== 404) return { query, error }
    throw error
  }
}

export const SearchCard: FC<{ ctx: PageContext; selection: ProjectSelection }> = ({ ctx, selection }) => {
  const asked = ctx.url.searchParams
  return (
    <Card title="Search" id="search">
      <div class="card-body">
        <form class="form" method="get" action="/portal/memory#results" role="search">
          <input type="hidden" name="project_id" value={selection.projectId} />
          {selection.namespace !== '*' && <input type="hidden" name="namespace" value={selection.namespace} />}
          <Field
            name="q"
            type="search"
            label="Question or words"
            required
            placeholder="What does Ada drink?"
            value={asked.get('q') ?? ''}
          />
          <Choices name="mode" legend="Find" options={MODES} value={asked.get('mode') ?? 'hybrid'} />
          <details class="disclosure" open={Boolean(asked.get('tags') || asked.get('threshold'))}>
            <summary>Filters</summary>
            <div class="form-row">
              <Field name="tags" id="search-tags" label="Any of these tags" value={asked.get('tags') ?? ''} />
              <Field
                name="threshold"
                label="Least similarity"
                type="number"
                min="0"
                max="1"
                step="0.01"
                placeholder="0.5"
                value={asked.get('threshold') ?? ''}
              />
            </div>
          </details>
          <div>
            <button class="button button-primary" type="submit">
              Search
            </button>
          </div>
        </form>
      </div>
    </Card>
  )
}

export const Results: FC<{ found: NonNullable<SearchOutcome> }> = ({ found }) => (
  <Card
    title="Results"
    id="results"
    lead={'reply' in found ? `${found.reply.total} found in ${found.reply.took_ms} ms` : undefined}
  >
    {'error' in found ? (
      <div class="card-body">
        <Notice tone="danger">{found.error.detail}</Notice>
      </div>
    ) : (
      <ResultList reply={found.reply} />
    )}
  </Card>
)

const ResultList: FC<{ reply: SearchReply }> = ({ reply }) => (
  <>
    {(reply.degraded !== undefined || reply.pending > 0) && (
      <div class="card-body">
        {reply.degraded !== undefined && (
          <Notice tone="warn">Only words were searched: the search by meaning does not answer right now.</Notice>
        )}
        {reply.pending > 0 && (
          <p class="small muted">
            {reply.pending} {reply.pending === 1 ? 'memory is' : 'memories are'} still being embedded and found by words
            only.
          </p>
        )}
      </div>
    )}
    {reply.results.length === 0 ? (
      <Empty icon="memory" title="Nothing found">
        <p>Try other words, all namespaces, or a lower similarity.</p>
      </Empty>
    ) : (
      <ol class="list">
        {reply.results.map((hit) => (
          <li>
            <ItemLine item={hit} text={hit.snippet} />
            <Breakdown hit={hit} />
          </li>
        ))}
      </ol>
    )}
  </>
)

/** Why a result ranks here: its cosine similarity, and its semantic and keyword ranks. */
const Breakdown: FC<{ hit: Hit }> = ({ hit }) => (
  <dl class="breakdown">
    <dt>Similarity</dt>
    <dd>
      <Meter value={hit.similarity ?? 0} />
    </dd>
    <dd>{hit.similarity === null ? 'words only' : hit.similarity.toFixed(3)}</dd>
    <dt>Score</dt>
    <dd>
      {ranksOf(hit).map(([name, rank], at) => (
        <>
          {at > 0 && ' · '}
          <span class="nowrap">
            {name} #{rank}
          </span>
        </>
      ))}
    </dd>
    <dd>{hit.score.toFixed(4)}</dd>
  </dl>
)

const ranksOf = (hit: Hit): [string, number][] =>
  (['semantic', 'keyword'] as const).flatMap((name) => {
    const rank = hit.score_breakdown?.[name]?.rank
    return typeof rank === 'number' ? [[name === 'semantic' ? 'meaning' : 'words', rank] as [string, number]] : []
  })

const Meter: FC<{ value: number }> = ({ value }) => (
  <svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="meter-track" width="100" height="6" />
    <rect class="meter-fill" width={Math.round(Math.max(0, Math.min(1, value)) * 100)} height="6" />
  </svg>
)
