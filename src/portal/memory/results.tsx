import type { FC } from 'hono/jsx'
import type { SearchReply } from '../../memory/index.ts'
import { Card, Empty, Notice, Time } from '../components/elements.tsx'
import { Snippets } from '../components/snippets.tsx'
import type { Naming } from '../names.ts'
import type { PageContext } from '../page-context.ts'
import { requestSnippets } from '../snippets/requests.ts'
import { ItemLine } from './item-line.tsx'
import { Marked } from './marked.tsx'
import type { SearchOutcome } from './search.ts'
import { ScoreKey, Why } from './why.tsx'

interface ResultsProps {
  ctx: PageContext
  found: NonNullable<SearchOutcome>
  naming: Naming
  /** The list without the question. */
  back: string
}

export const Results: FC<ResultsProps> = ({ ctx, found, naming, back }) => (
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
            snippets={requestSnippets(ctx.origin, {
              path: '/api/memory/search',
              call: 'memory.search',
              body: found.body,
            })}
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
      <ResultList ctx={ctx} query={found.query} reply={found.reply} naming={naming} />
    )}
  </Card>
)

type Hit = SearchReply['results'][number]

/** What twins have in common: the text, but for its white space, who said it, about whom, and where. */
const twinKey = ({ content, context, role, speaker }: Hit): string =>
  JSON.stringify([
    content.text.normalize('NFC').trim().replaceAll(/\s+/g, ' '),
    context.namespace,
    context.subject,
    role,
    speaker,
  ])

/** Results that say the same as one: the best of them, and the others, its twins. */
export function foldTwins(hits: readonly Hit[]): { hit: Hit; twins: Hit[] }[] {
  return [...Map.groupBy(hits, twinKey).values()].flatMap(([hit, ...twins]) => (hit ? [{ hit, twins }] : []))
}

interface ResultListProps {
  ctx: PageContext
  query: string
  reply: SearchReply
  naming: Naming
}

const ResultList: FC<ResultListProps> = ({ ctx, query, reply, naming }) => (
  <>
    {(reply.degraded !== undefined || reply.pending > 0) && (
      <div class="card-body">
        {reply.degraded !== undefined && (
          <Notice tone="warn">Only keywords were searched: semantic search is unavailable right now.</Notice>
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
        <p>Try other words, all namespaces, fewer filters, or a lower minimum similarity.</p>
      </Empty>
    ) : (
      <>
        <ScoreKey reply={reply} embedder={ctx.system.embedder} />
        <ol class="list results">
          {foldTwins(reply.results).map(({ hit, twins }, nth) => (
            <li>
              <span class="rank" aria-hidden="true">
                {nth + 1}
              </span>
              <ItemLine item={hit} naming={naming}>
                <Marked text={hit.snippet} query={query} vocabulary={ctx.system.vocabulary} />
              </ItemLine>
              {twins.length > 0 && <Twins twins={twins} />}
              <Why hit={hit} mode={reply.mode} best={reply.results[0]?.score ?? hit.score} />
            </li>
          ))}
        </ol>
      </>
    )}
  </>
)

const Twins: FC<{ twins: readonly Hit[] }> = ({ twins }) => (
  <details class="disclosure small">
    <summary>{twins.length} more with the same text</summary>
    <ul>
      {twins.map((twin) => (
        <li>
          <a href={`/portal/memory/${twin.id}`}>
            <Time at={twin.occurred_at ?? twin.created_at} />
          </a>
        </li>
      ))}
    </ul>
  </details>
)
