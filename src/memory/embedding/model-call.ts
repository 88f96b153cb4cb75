import { countFigure, countOutcome } from '../../audit/index.ts'
import type { System } from '../../core/context.ts'
import {
  checkEmbeddings,
  dimensionOf,
  ModelDown,
  TextRefused,
  UnusableAnswer,
  WrongDimension,
} from '../../core/embedding.ts'
import type { CutChunk, Embedder, Embedding } from '../../core/vectors.ts'
import { inSpan, type SpanCause } from '../../core/spans.ts'
import { within } from '../../core/values/deadline.ts'
import { learnDimension, readDimension } from './dimension.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

type Purpose = Parameters<Embedder['embed']>[1]

/** After this deadline a hybrid search answers only its keyword matches, and items wait for their next attempt. */
const DEADLINE_MS: Record<Purpose, number> = { query: 3_000, document: 30_000 }
/** No call asks a model that is down for this long. Then one call finds out whether it answers. */
const DOWN_MS = 5_000
/** A longer `Retry-After` of the model counts as this. */
const MAX_DOWN_MS = 30 * MINUTE_MS
/** Quick failures in a row after which it counts as down. One alone costs a caller little. */
const MAX_FAILURES = 3

const HARMLESS = 'The sun rises in the east.'

/** The state of a model in this isolate. It is down for `downMs` from `downAt` on, and in doubt until it answers again. */
interface Health {
  failures: number
  downAt: number
  downMs: number
  /** Why it is down. */
  cause?: unknown
}

const healths = new WeakMap<Embedder, Health>()

function healthOf(embedder: Embedder): Health {
  const health = healths.get(embedder) ?? { failures: 0, downAt: 0, downMs: 0 }
  healths.set(embedder, health)
  return health
}

/** On behalf of a request, or of a consumer. */
type Model = System & SpanCause

/** Milliseconds for which the model is not asked; 0 where it may be. */
export function modelDownMs({ embedder, now }: Pick<Model, 'embedder' | 'now'>): number {
  const { downAt, downMs } = healthOf(embedder)
  const passed = now() - downAt
  return passed >= 0 && passed < downMs ? downMs - passed : 0
}

/** What a call of the model throws instead of asking it; null where it may be asked. */
export function modelDown(model: Pick<Model, 'embedder' | 'now'>): ModelDown | null {
  const waitMs = modelDownMs(model)
  const { cause } = healthOf(model.embedder)
  return waitMs > 0 ? new ModelDown('the model was down a moment ago', waitMs, { cause }) : null
}

/**
 * The only caller of `Embedder.embed`. Keeps an answer only if it has one embedding of the model's dimension for each text.
 * Throws what the embedder throws, `UnusableAnswer`, or `ModelDown` where it did not ask the model.
 */
export async function callModel(
  model: Model,
  texts: string[],
  purpose: Purpose,
  pieces?: readonly CutChunk['pieces'][],
): Promise<(Embedding | null)[]> {
  const down = modelDown(model)
  if (down) throw down
  const since = model.now()
  let outcome = 'ok'
  try {
    return await inSpan('embed', model, {}, () => askModel(model, texts, purpose, pieces))
  } catch (error) {
    outcome = error instanceof TextRefused ? 'refused' : 'failed'
    throw error
  } finally {
    const count = purpose === 'query' ? countFigure : countOutcome
    count(model, { family: 'model_call', labels: [purpose, outcome], durationMs: model.now() - since })
  }
}

async function askModel(
  model: Model,
  texts: string[],
  purpose: Purpose,
  pieces?: readonly CutChunk['pieces'][],
): Promise<(Embedding | null)[]> {
  const { embedder } = model
  const health = healthOf(embedder)
  // This call finds out whether the model is well again. The others wait for it, but no longer than the pause.
  if (health.downMs > 0) Object.assign(health, { downAt: model.now(), downMs: DOWN_MS })
  const given = embedder.remote ? new AbortController() : null
  const late = (): Error => {
    const error = new Error(`no response within ${DEADLINE_MS[purpose]} ms`)
    given?.abort(error)
    markDown(model, error)
    return error
  }
  try {
    const dimension = await readDimension(model)
    // A model in this isolate cannot be late, and timer and signal cost a search more than the model.
    const ask = async (asked: string[], known?: readonly CutChunk['pieces'][]): Promise<(Embedding | null)[]> => {
      const answer = await (given
        ? within(DEADLINE_MS[purpose], embedder.embed(asked, purpose, given.signal, known), late)
        : embedder.embed(asked, purpose, undefined, known))
      checkEmbeddings(answer, asked.length, { model: embedder.model, dimension })
      return answer
    }
    const embeddings = await ask(texts, pieces)
    if (dimension === null) await learnFrom(model, embeddings, () => ask([HARMLESS]))
    Object.assign(health, { failures: 0, downMs: 0 })
    return embeddings
  } catch (error) {
    if (error instanceof ModelDown) markDown(model, error, error.retryAfterMs)
    else if (!given?.signal.aborted && !mayBlameTexts(error) && (health.failures += 1) >= MAX_FAILURES)
      markDown(model, error)
    throw error
  }
}

/** Two answers of a model that agree tell its dimension where no setting names it. It is stored for good. */
async function learnFrom(
  model: Model,
  embeddings: readonly (Embedding | null)[],
  askAgain: () => Promise<(Embedding | null)[]>,
): Promise<void> {
  const dimension = dimensionOf(embeddings)
  if (dimension === null) return
  const second = dimensionOf(await askAgain())
  if (second !== dimension)
    throw new UnusableAnswer(`the model returned vectors of ${dimension} values, then of ${second}`)
  const stored = await learnDimension(model, dimension)
  if (stored !== dimension) throw new WrongDimension(model.embedder.model, dimension, stored)
}

/** One of the texts may be the reason of the failure. */
export const mayBlameTexts = (error: unknown): boolean =>
  error instanceof TextRefused || error instanceof UnusableAnswer

/**
 * Called after a failure that a text may have caused. Throws where the model embeds no harmless text either: it is down, and
 * the texts are not to blame.
 */
export async function requireWellModel(model: Model): Promise<void> {
  try {
    await callModel(model, [HARMLESS], 'document')
  } catch (error) {
    if (mayBlameTexts(error)) markDown(model, error)
    throw error
  }
}

function markDown(model: Model, cause: unknown, retryAfterMs = 0): void {
  const downMs = Math.min(MAX_DOWN_MS, Math.max(DOWN_MS, retryAfterMs))
  Object.assign(healthOf(model.embedder), { downAt: model.now(), downMs, cause })
  model.log.error({ event: 'model.down', model: model.embedder.model, for_ms: downMs }, cause)
}
