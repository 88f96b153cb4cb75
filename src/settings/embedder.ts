import type { Settings } from './read-settings.ts'

const DEFAULT_WORKERS_AI = { model: '@cf/baai/bge-m3', dimension: 1_024 }
const DEFAULT_URL_MODEL = 'nomic-embed-text'

export type EmbedderChoice =
  | { kind: 'embedded' }
  | { kind: 'workers-ai'; model: string; dimension: number | null }
  /** `url`: of the endpoint itself, as in `http://localhost:11434/v1/embeddings`. */
  | { kind: 'url'; url: string; model: string; dimension: number | null; key: string | null; batch: number | null }

/**
 * `EMBEDDER`, or else what is configured: `EMBEDDINGS_URL`, a binding of Workers AI, or else the embedded model, which also
 * stands in for a model that cannot be had.
 */
export function embedderChoice(
  settings: Settings,
  hasWorkersAi: boolean,
): { choice: EmbedderChoice; faults: readonly string[] } {
  const { EMBEDDINGS_URL: url } = settings
  const kind = settings.EMBEDDER ?? (url !== null ? 'url' : hasWorkersAi ? 'workers-ai' : 'embedded')
  const embedded = (...faults: string[]) => ({ choice: { kind: 'embedded' } as const, faults })
  if (kind === 'url') {
    if (url === null) return embedded('EMBEDDER is url, but EMBEDDINGS_URL is missing')
    // A faulty one has told its fault.
    if (url === '') return embedded()
    const model = settings.EMBEDDINGS_MODEL ?? DEFAULT_URL_MODEL
    const { EMBEDDINGS_DIMENSION: dimension, EMBEDDINGS_KEY: key, EMBEDDINGS_BATCH: batch } = settings
    return { choice: { kind, url, model, dimension, key, batch }, faults: [] }
  }
  if (kind === 'workers-ai') {
    if (!hasWorkersAi) return embedded('EMBEDDER is workers-ai, but there is no AI binding')
    const model = settings.WORKERS_AI_MODEL ?? DEFAULT_WORKERS_AI.model
    const known = model === DEFAULT_WORKERS_AI.model ? DEFAULT_WORKERS_AI.dimension : null
    return { choice: { kind, model, dimension: settings.WORKERS_AI_DIMENSION ?? known }, faults: [] }
  }
  return embedded()
}
