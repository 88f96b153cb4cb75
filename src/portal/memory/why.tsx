import type { FC } from 'hono/jsx'
import type { Embedder } from '../../core/models.ts'
import type { SearchReply } from '../../memory/index.ts'

type Hit = SearchReply['results'][number]
type Breakdown = NonNullable<Hit['score_breakdown']>
export type NamedEmbedder = Pick<Embedder, 'model' | 'semanticWeight'>

/** The parts of a score, as the bar stacks them. The last two have no weight. */
const PARTS = [
  ['keyword', 'score-keyword', 'Keyword'],
  ['semantic', 'score-meaning', 'Meaning'],
  ['date', 'score-date', 'Time'],
  ['neighbor', 'score-neighbor', 'Neighbour'],
] as const
type Part = (typeof PARTS)[number][0]

const hasWeight = (part: Part): part is 'keyword' | 'semantic' => part === 'keyword' || part === 'semantic'

/** What the colours of the bars mean, how much each part counts, and which embedder compares meanings. */
export const ScoreKey: FC<{ reply: SearchReply; embedder: NamedEmbedder }> = ({ reply, embedder }) => {
  const weights = reply.results[0]?.score_breakdown?.weights
  if (!weights) return null
  const counts = reply.mode === 'hybrid' && weights.semantic < embedder.semanticWeight ? LESS : ''
  return (
    <div class="card-body score-key">
      <ul class="legend">
        {PARTS.filter(([part]) => reply.results.some((hit) => weighs(hit, part))).map(([part, className, label]) => (
          <li>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class={className} width="10" height="10" rx="2" />
            </svg>
            {hasWeight(part) ? `${label} ${percent(weights[part])}` : label}
          </li>
        ))}
      </ul>
      <p class="small muted">
        {reply.mode !== 'keyword' && <ComparedBy model={embedder.model} />}
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

/** Whether a part has a place in the key: by its weight, or because a result of this answer has it. */
const weighs = ({ score_breakdown }: Hit, part: Part): boolean =>
  (hasWeight(part) ? score_breakdown?.weights[part] : score_breakdown?.contributions[part]) !== 0

const LESS = ' It knows few words of this question, so meaning counts less.'

/** Why a result is in the list, and at its place: in words, as a bar of both parts of its score, and in numbers. */
export const Why: FC<{ hit: Hit; mode: SearchReply['mode'] }> = ({ hit, mode }) => {
  const parts = hit.score_breakdown
  if (!parts) return null
  return (
    <div class="why">
      <p class="small">{reasonOf(hit, parts, mode)}</p>
      <div class="score">
        <ScoreBar parts={parts} score={hit.score} />
        <span>{hit.score.toFixed(3)}</span>
      </div>
      <p class="small muted score-parts">
        {parts.keyword && (
          <span class="nowrap">
            keyword {parts.contributions.keyword.toFixed(3)}, #{parts.keyword.rank}
          </span>
        )}
        {parts.contributions.semantic > 0 && (
          <span class="nowrap">
            meaning {parts.contributions.semantic.toFixed(3)}
            {parts.semantic && `, #${parts.semantic.rank}`}
          </span>
        )}
        {parts.contributions.date > 0 && <span class="nowrap">time {parts.contributions.date.toFixed(3)}</span>}
        {parts.contributions.neighbor > 0 && (
          <span class="nowrap">neighbour {parts.contributions.neighbor.toFixed(3)}</span>
        )}
        {hit.similarity !== null && <span class="nowrap">similarity {hit.similarity.toFixed(3)}</span>}
        {hit.rerank_score !== undefined && <span class="nowrap">reranked at {hit.rerank_score.toFixed(3)}</span>}
      </p>
    </div>
  )
}

function reasonOf(hit: Hit, parts: Breakdown, mode: SearchReply['mode']): string {
  const found = ownReasonOf(hit, parts, mode)
  const own =
    found && parts.contributions.date > 0
      ? `${found} It is of the time that the question names, or shortly after.`
      : found
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

/** The whole width is a score of 1. */
const ScoreBar: FC<{ parts: Breakdown; score: number }> = ({ parts: { contributions }, score }) => {
  const shares = PARTS.filter(([part]) => contributions[part] > 0)
  const told = shares.map(([part, , label]) => `${label.toLowerCase()} ${contributions[part].toFixed(3)}`).join(', ')
  let end = 0
  return (
    <svg
      class="meter"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={`Score ${score.toFixed(3)}: ${told}`}
    >
      <rect class="meter-track" width="100" height="6" />
      {shares.map(([part, className]) => {
        const start = end
        end += 100 * contributions[part]
        return <rect class={className} x={start.toFixed(2)} width={(end - start).toFixed(2)} height="6" />
      })}
    </svg>
  )
}

const percent = (share: number): string => `${Math.round(100 * share)} %`
