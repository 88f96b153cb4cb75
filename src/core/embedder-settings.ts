/** How the deployment's variables choose the embedding model. The service and `npm run deploy` share it. */

/** Dimensions of the embedded model. */
export const EMBEDDED_DIMENSION = 256
export const DEFAULT_WORKERS_AI = { model: '@cf/baai/bge-m3', dimension: 1_024 }
const DEFAULT_URL_MODEL = 'nomic-embed-text'
/** More than any model that is known. */
const MAX_DIMENSION = 16_384
/** Texts of one call (architecture §9). */
export const MAX_TEXTS = 100

export type EmbedderChoice =
  | { kind: 'embedded' }
  | { kind: 'workers-ai'; model: string; dimension: number | null }
  /** `url`: of the endpoint itself, as in `http://localhost:11434/v1/embeddings`. */
  | { kind: 'url'; url: string; model: string; dimension: number | null; key: string | null; batch: number | null }

export interface EmbedderSettings {
  choice: EmbedderChoice
  /** What `/ready` and `npm run deploy` refuse. */
  faults: string[]
}

type Variables = (name: string) => string | undefined

/** `EMBEDDER`, or else what is configured: `EMBEDDINGS_URL`, a binding of Workers AI, or else the embedded model. */
export function embedderSettings(variable: Variables, hasWorkersAi: boolean): EmbedderSettings {
  const faults: string[] = []
  const url = variable('EMBEDDINGS_URL')
  const configured = url !== undefined ? 'url' : hasWorkersAi ? 'workers-ai' : 'embedded'
  const kind = variable('EMBEDDER') ?? configured
  if (kind === 'url') {
    if (url === undefined) faults.push('EMBEDDER is "url", but EMBEDDINGS_URL is missing')
    else if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      faults.push(`EMBEDDINGS_URL is ${JSON.stringify(url)}, which is not an http or https URL`)
    else {
      const model = variable('EMBEDDINGS_MODEL') ?? DEFAULT_URL_MODEL
      const dimension = wholeNumber('EMBEDDINGS_DIMENSION', MAX_DIMENSION, variable, faults)
      const batch = wholeNumber('EMBEDDINGS_BATCH', MAX_TEXTS, variable, faults)
      return { choice: { kind, url, model, dimension, key: variable('EMBEDDINGS_KEY') ?? null, batch }, faults }
    }
  } else if (kind === 'workers-ai') {
    if (!hasWorkersAi) faults.push('EMBEDDER is "workers-ai", but there is no AI binding')
    else {
      const model = variable('WORKERS_AI_MODEL') ?? variable('EMBEDDING_MODEL') ?? DEFAULT_WORKERS_AI.model
      const name = variable('WORKERS_AI_DIMENSION') === undefined ? 'EMBEDDING_DIMENSION' : 'WORKERS_AI_DIMENSION'
      const dimension = wholeNumber(name, MAX_DIMENSION, variable, faults)
      const known = model === DEFAULT_WORKERS_AI.model ? DEFAULT_WORKERS_AI.dimension : null
      return { choice: { kind, model, dimension: dimension ?? known }, faults }
    }
  } else if (kind !== 'embedded') {
    faults.push(`EMBEDDER is ${JSON.stringify(kind)}, which is not one of embedded, workers-ai, url`)
  }
  return { choice: { kind: 'embedded' }, faults }
}

/** null: nobody said it. */
function wholeNumber(name: string, max: number, variable: Variables, faults: string[]): number | null {
  const text = variable(name)
  if (text === undefined) return null
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= max) return number
  faults.push(`${name} is ${JSON.stringify(text)}, which is not a whole number from 1 to ${max}`)
  return null
}
