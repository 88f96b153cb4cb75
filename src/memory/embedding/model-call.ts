import type { System } from '../../core/context.ts'
import { checkVectors, ModelDown, TextRefused, UnusableAnswer } from '../../core/embedding.ts'
import type { Embedder } from '../../core/ports.ts'
import { within } from '../../core/values/deadline.ts'

type Purpose = Parameters<Embedder['embed']>[1]

/** After this deadline a hybrid search answers only its keyword matches, and items wait for their next attempt. */
const DEADLINE_MS: Record<Purpose, number> = { query: 3_000, document: 30_000 }
/** No call asks a model that is down for this long. Then one call finds out whether it answers. */
const DOWN_MS = 5_000
/** A longer `Retry-After` of the model counts as this. */
const MAX_DOWN_MS = 30 * 60_000
/** Quick failures in a row after which it counts as down. One alone costs a caller little. */
const MAX_FAILURES = 3

/** What this isolate knows of a model. It is down for `downMs` from `downAt` on, and in doubt until it answers again. */
interface Health {
  failures: number
  downAt: number
  downMs: number
}

const healths = new WeakMap<Embedder, Health>()

function healthOf(embedder: Embedder): Health {
  const health = healths.get(embedder) ?? { failures: 0, downAt: 0, downMs: 0 }
  healths.set(embedder, health)
  return health
}

type Model = Pick<System, 'embedder' | 'now' | 'log'>

/** Milliseconds for which the model is not asked; 0 where it may be. */
export function modelDownMs({ embedder, now }: Pick<Model, 'embedder' | 'now'>): number {
  const { downAt, downMs } = healthOf(embedder)
  const passed = now() - downAt
  return passed >= 0 && passed < downMs ? downMs - passed : 0
}

/**
 * The only caller of `Embedder.embed`. Keeps an answer only if it has one vector of the model's dimension for each text.
 * Throws what the embedder throws, `UnusableAnswer`, or `ModelDown` where it did not ask the model.
 */
export async function callModel(model: Model, texts: string[], purpose: Purpose): Promise<Float32Array[]> {
  const { embedder, now } = model
  const health = healthOf(embedder)
  const waitMs = modelDownMs(model)
  if (waitMs > 0) throw new ModelDown('the model was down a moment ago', waitMs)
  // This call finds out whether the model is well again. The others wait for it, but no longer than the pause.
  if (health.downMs > 0) Object.assign(health, { downAt: now(), downMs: DOWN_MS })
  const given = new AbortController()
  const late = (): Error => {
    const error = new Error(`no answer within ${DEADLINE_MS[purpose]} ms`)
    given.abort(error)
    markDown(model, error)
    return error
  }
  try {
    const vectors = await within(DEADLINE_MS[purpose], embedder.embed(texts, purpose, given.signal), late)
    checkVectors(vectors, texts.length, embedder.dimension)
    Object.assign(health, { failures: 0, downMs: 0 })
    return vectors
  } catch (error) {
    if (error instanceof ModelDown) markDown(model, error, error.retryAfterMs)
    else if (!given.signal.aborted && !mayBlameTexts(error) && (health.failures += 1) >= MAX_FAILURES)
      markDown(model, error)
    throw error
  }
}

/** One of the texts may be the reason of the failure. */
export const mayBlameTexts = (error: unknown): boolean =>
  error instanceof TextRefused || error instanceof UnusableAnswer

const HARMLESS = 'The sun rises in the east.'

/**
 * After a failure that may be of the texts: throws where the model embeds no harmless text either. Then it is down, and
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

function markDown({ embedder, now, log }: Model, error: unknown, retryAfterMs = 0): void {
  const downMs = Math.min(MAX_DOWN_MS, Math.max(DOWN_MS, retryAfterMs))
  Object.assign(healthOf(embedder), { downAt: now(), downMs })
  log.error({ event: 'model.down', model: embedder.model, for_ms: downMs }, error)
}
