import type { FC } from 'hono/jsx'
import type { Embedder } from '../../core/models.ts'
import type { SearchReply } from '../../memory/index.ts'

type Hit = SearchReply['results'][number]
type Breakdown = NonNullable<Hit['score_breakdown']>
type NamedEmbedder = Pick<Embedder, 'model' | 'semanticWeight'>

/** The parts of a score, as the bar stacks them. The last three have no weight. */
const PARTS = [
  ['keyword', 'score-keyword', 'Keyword'],
  ['semantic', 'score-semantic', 'Semantic'],
  ['speaker', 'score-speaker', 'Speaker'],
  ['date', 'score-date', 'Time'],
  ['neighbor', 'score-neighbor', 'Neighbour'],
] as const

/** What the bars say and what their colours mean, and which embedder compares meanings. */
export const ScoreKey: FC<{ reply: SearchReply; embedder: NamedEmbedder }> = ({ reply, embedder }) => {
  const weights = reply.results[0]?.score_breakdown?.weights
  if (!weights) return null
  const counts = reply.mode === 'hybrid' && weights.semantic < embedder.semanticWeight ? LESS : ''
  const isDrawn = (part: (typeof PARTS)[number][0]): boolean =>
    reply.results.some((hit) => (hit.score_breakdown?.contributions[part] ?? 0) > 0)
  return (
    <div class="card-body score-key">
      <ul class="legend">
        {PARTS.filter(([part]) => isDrawn(part)).map(([, className, label]) => (
          <li>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class={className} width="10" height="10" rx="2" />
            </svg>
            {label}
          </li>
        ))}
      </ul>
      <p class="small muted">
        Each bar is relative to the best result. {reply.mode !== 'keyword' && <ComparedBy model={embedder.model} />}
        {reply.degraded === undefined && counts}
      </p>
    </div>
  )
}

/** Which model a similarity is of. That of the service itself is small, and says so: its numbers are not those of others. */
const ComparedBy: FC<{ model: string }> = ({ model }) => (
  <>
    Similarity is by {model.startsWith('embedded/') ? 'the local model' : 'the model'} <code>{model}</code>.
  </>
)

const LESS = ' It knows few words of this question, so meaning counts less.'

interface WhyProps {
  hit: Hit
  mode: SearchReply['mode']
  /** The score of the best result. */
  best: number
}

/** A bar of the parts of a score, and behind a click why a result is in the list: in words and in numbers. */
export const Why: FC<WhyProps> = ({ hit, mode, best }) => {
  const parts = hit.score_breakdown
  if (!parts) return null
  return (
    <div class="why">
      <ScoreBar parts={parts} score={hit.score} best={best} />
      <details class="disclosure small">
        <summary>Why this result</summary>
        <p>{reasonOf(hit, parts, mode)}</p>
        <p class="muted score-parts">
          <Figure name="score" value={hit.score} />
          {parts.keyword && (
            <Figure
              name="keyword"
              value={parts.contributions.keyword}
              note={`#${parts.keyword.rank}, weight ${percent(parts.weights.keyword)}`}
            />
          )}
          {parts.contributions.semantic > 0 && (
            <Figure
              name="semantic"
              value={parts.contributions.semantic}
              note={`${parts.semantic ? `#${parts.semantic.rank}, ` : ''}weight ${percent(parts.weights.semantic)}`}
            />
          )}
          {parts.contributions.speaker > 0 && <Figure name="speaker" value={parts.contributions.speaker} />}
          {parts.contributions.date > 0 && <Figure name="time" value={parts.contributions.date} />}
          {parts.contributions.neighbor > 0 && <Figure name="neighbour" value={parts.contributions.neighbor} />}
          {hit.similarity !== null && <Figure name="similarity" value={hit.similarity} />}
          {hit.rerank_score !== undefined && <Figure name="reranked at" value={hit.rerank_score} />}
        </p>
      </details>
    </div>
  )
}

const Figure: FC<{ name: string; value: number; note?: string }> = ({ name, value, note }) => (
  <span class="nowrap">
    {name} {value.toFixed(3)}
    {note && ` (${note})`}
  </span>
)

function reasonOf(hit: Hit, parts: Breakdown, mode: SearchReply['mode']): string {
  const found = ownReasonOf(hit, parts, mode)
  const own =
    found &&
    [
      found,
      ...(parts.contributions.speaker > 0 ? ['The question names its speaker.'] : []),
      ...(parts.contributions.date > 0 ? ['It happened at the time the question mentions, or shortly after.'] : []),
    ].join(' ')
  if (parts.contributions.neighbor === 0) return own ?? ''
  return own
    ? `${own} A neighbouring item in its conversation is relevant too.`
    : 'A neighbouring item in its conversation is relevant.'
}

function ownReasonOf(hit: Hit, { keyword, semantic }: Breakdown, mode: SearchReply['mode']): string | null {
  if (keyword && semantic) return 'It contains words of the question, and its meaning is close.'
  if (semantic) return mode === 'semantic' ? 'Its meaning is close.' : 'Its meaning is close, in other words.'
  if (!keyword) return null
  if (mode === 'hybrid' && hit.embedding_status !== 'completed')
    return 'It contains words of the question. Its meaning is not embedded yet.'
  return 'It contains words of the question.'
}

interface ScoreBarProps {
  parts: Breakdown
  score: number
  best: number
}

/** The whole width is the score of the best result. The parts of one score share its length. */
const ScoreBar: FC<ScoreBarProps> = ({ parts: { contributions }, score, best }) => {
  const length = best > 0 ? (100 * score) / best : 0
  const shares = PARTS.filter(([part]) => contributions[part] > 0)
  const sum = shares.reduce((all, [part]) => all + contributions[part], 0)
  let end = 0
  return (
    <svg
      class="meter"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${Math.round(length)} % of the best result`}
    >
      <rect class="meter-track" width="100" height="6" />
      {shares.map(([part, className]) => {
        const start = end
        end += (length * contributions[part]) / sum
        return <rect class={className} x={start.toFixed(2)} width={(end - start).toFixed(2)} height="6" />
      })}
    </svg>
  )
}

const percent = (share: number): string => `${Math.round(100 * share)} %`
