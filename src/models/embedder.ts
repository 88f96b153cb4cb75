import { countFigure, countOutcome } from '../audit/index.ts'
import type { RequestContext, System } from '../core/context.ts'
import {
  checkEmbeddings,
  dimensionOf,
  mayBlameTexts,
  ModelDown,
  TextRefused,
  UnusableAnswer,
  WrongDimension,
} from '../core/embedding.ts'
import { unavailable } from '../core/errors.ts'
import type { Embedder, EmbeddingModel, QueryEmbedder, QueryVector } from '../core/models.ts'
import type { Principal } from '../core/principal.ts'
import { inSpan, type SpanCause } from '../core/spans.ts'
import { BoundedMap } from '../core/values/bounded-map.ts'
import { within } from '../core/values/deadline.ts'
import { HOUR_MS, SECOND_MS } from '../core/values/durations.ts'
import { sha256 } from '../core/values/hash.ts'
import type { CutChunk, Embedding } from '../core/vectors.ts'
import { Dimension } from './dimension.ts'
import { ModelTurns } from './model-turns.ts'
import { Pause } from './pause.ts'

type Pieces = readonly CutChunk['pieces'][]
type Purpose = Parameters<EmbeddingModel['embed']>[1]

/** After this deadline a hybrid search answers only its keyword matches, and items wait for their next attempt. */
const DEADLINE_MS: Record<Purpose, number> = { query: 3 * SECOND_MS, document: 30 * SECOND_MS }
/** Quick failures in a row after which the model counts as down. One alone costs a caller little. */
const MAX_FAILURES = 3
/** After this long a larger call is tried again: the service may take more by now, or was only ill. */
export const REMEMBERED_MS = HOUR_MS
/** Vectors of queries take about 4 MB of an isolate at 1,024 dimensions. */
const MAX_QUERY_VECTORS = 1_000

const HARMLESS = 'The sun rises in the east.'

/** What an isolate knows of its embedding model. */
export class SharedEmbedder {
  readonly model: EmbeddingModel
  readonly dimension: Dimension
  readonly pause = new Pause()
  readonly turns = new ModelTurns()
  /** Vectors of a remote model. The tenant is part of each hashed key. */
  readonly queryVectors = new BoundedMap<string, Embedding | null>(MAX_QUERY_VECTORS)
  /** Quick failures since the last answer. */
  failures = 0
  /** Of a service that refuses large calls: how many texts of one call it took, and when. */
  taken: { texts: number; at: number } | null = null

  constructor(model: EmbeddingModel) {
    this.model = model
    this.dimension = new Dimension(model)
  }

  /** For a consumer, for a sweep, and for what a request does besides searching. */
  for(system: () => System): Embedder {
    return new CheckedEmbedder(this, system)
  }
}

class CheckedEmbedder implements Embedder {
  readonly model: string
  readonly semanticWeight: number
  readonly scoring: EmbeddingModel['scoring']
  readonly floors: EmbeddingModel['floors']
  protected readonly shared: SharedEmbedder
  protected readonly system: () => System
  readonly #cause: SpanCause

  constructor(shared: SharedEmbedder, system: () => System, cause: SpanCause = {}) {
    const { model, semanticWeight, scoring, floors } = shared.model
    this.model = model
    this.semanticWeight = semanticWeight
    this.scoring = scoring
    this.floors = floors
    this.shared = shared
    this.system = system
    this.#cause = cause
  }

  get dimension(): number | null {
    return this.shared.dimension.known
  }

  get maxTexts(): number {
    const { model, taken } = this.shared
    const isFresh = taken !== null && this.system().now() - taken.at < REMEMBERED_MS
    return isFresh ? Math.min(taken.texts, model.maxTexts) : model.maxTexts
  }

  wordShare(query: string): number {
    return this.shared.model.wordShare(query)
  }

  chunks(text: string): CutChunk[] {
    return this.shared.model.chunks(text)
  }

  inTurnOf(caller: Principal, request: RequestContext): QueryEmbedder {
    return new CallersEmbedder(this.shared, caller, request)
  }

  readDimension(): Promise<number | null> {
    return this.shared.dimension.read(this.system())
  }

  down(): ModelDown | null {
    return this.shared.pause.down(this.system().now())
  }

  embed(texts: string[], pieces?: Pieces): Promise<(Embedding | null)[]> {
    return this.counted('document', () => this.checked(texts, 'document', pieces))
  }

  takesAtMost(texts: number): void {
    this.shared.taken = { texts: Math.min(texts, this.maxTexts), at: this.system().now() }
  }

  async requireWell(): Promise<void> {
    try {
      await this.embed([HARMLESS])
    } catch (error) {
      if (mayBlameTexts(error)) this.#beginPause(error)
      throw error
    }
  }

  /** Counts a call of the model, unless the model is down. */
  protected async counted<T>(purpose: Purpose, call: () => Promise<T>): Promise<T> {
    const down = this.down()
    if (down) throw down
    const system = this.system()
    const since = system.now()
    let outcome = 'ok'
    try {
      return await inSpan('embed', this.#cause, {}, call)
    } catch (error) {
      outcome = error instanceof TextRefused ? 'refused' : 'failed'
      throw error
    } finally {
      const count = purpose === 'query' ? countFigure : countOutcome
      count(system, { family: 'model_call', labels: [purpose, outcome], durationMs: system.now() - since })
    }
  }

  /** An answer that has an embedding of the model's dimension for each text. */
  protected async checked(texts: string[], purpose: Purpose, pieces?: Pieces): Promise<(Embedding | null)[]> {
    const { model, pause } = this.shared
    pause.extendWhileInDoubt(this.system().now())
    try {
      const dimension = await this.readDimension()
      const ask = async (asked: string[], known?: Pieces): Promise<(Embedding | null)[]> => {
        const answer = await this.#inTime(purpose, (signal) => model.embed(asked, purpose, signal, known))
        checkEmbeddings(answer, asked.length, { model: model.model, dimension })
        return answer
      }
      const embeddings = await ask(texts, pieces)
      if (dimension === null) await this.#learnFrom(embeddings, () => ask([HARMLESS]))
      this.shared.failures = 0
      pause.end()
      return embeddings
    } catch (error) {
      this.#noteFailure(error)
      throw error
    }
  }

  /** A model in this isolate cannot be late, and timer and signal cost a search more than the model. */
  #inTime<T>(purpose: Purpose, call: (signal?: AbortSignal) => Promise<T>): Promise<T> {
    if (!this.shared.model.remote) return call()
    const given = new AbortController()
    const deadlineMs = DEADLINE_MS[purpose]
    return within(deadlineMs, call(given.signal), () => {
      const error = new Late(`no response within ${deadlineMs} ms`)
      given.abort(error)
      return error
    })
  }

  /** Two answers of a model that agree tell its dimension where no setting names it. */
  async #learnFrom(
    embeddings: readonly (Embedding | null)[],
    askAgain: () => Promise<(Embedding | null)[]>,
  ): Promise<void> {
    const dimension = dimensionOf(embeddings)
    if (dimension === null) return
    const second = dimensionOf(await askAgain())
    if (second !== dimension)
      throw new UnusableAnswer(`the model returned vectors of ${dimension} values, then of ${second}`)
    const system = this.system()
    const stored = await this.shared.dimension.learn(system, dimension, system.now())
    if (stored !== dimension) throw new WrongDimension(this.model, dimension, stored)
  }

  #noteFailure(error: unknown): void {
    if (error instanceof ModelDown) this.#beginPause(error, error.retryAfterMs)
    else if (error instanceof Late) this.#beginPause(error)
    else if (!mayBlameTexts(error) && (this.shared.failures += 1) >= MAX_FAILURES) this.#beginPause(error)
  }

  #beginPause(cause: unknown, retryAfterMs = 0): void {
    const system = this.system()
    const pauseMs = this.shared.pause.begin(system.now(), cause, retryAfterMs)
    system.log.error({ event: 'model.down', model: this.model, for_ms: pauseMs }, cause)
  }
}

class CallersEmbedder extends CheckedEmbedder implements QueryEmbedder {
  readonly #caller: Principal

  constructor(shared: SharedEmbedder, caller: Principal, request: RequestContext) {
    super(shared, () => request, request)
    this.#caller = caller
  }

  async query(text: string): Promise<QueryVector> {
    const { model } = this.shared
    const key = await sha256(`${this.#caller.tenantId}\n${model.model} ${model.dimension}\n${text}`)
    const embedding = await (model.remote ? this.#known(key, text) : this.#ask(text))
    return { id: `qv_${key.slice(0, 26)}`, embedding }
  }

  async #known(key: string, text: string): Promise<Embedding | null> {
    const { queryVectors, turns } = this.shared
    const known = queryVectors.get(key)
    const turn = () => turns.run(this.#caller, this.system(), () => this.#ask(text), busy)
    const embedding = known === undefined ? await turn() : known
    queryVectors.set(key, embedding)
    return embedding
  }

  async #ask(text: string): Promise<Embedding | null> {
    const [embedding = null] = await this.counted('query', () => this.checked([text], 'query'))
    return embedding
  }
}

/** The model gave no response within its deadline. */
class Late extends Error {}

/** The answer to a user whose queries, or those of the tenant, are too many for the model. */
const busy = (): Error =>
  unavailable(
    'The embedding model',
    new Error('too many queries of one user or tenant are waiting for their embedding'),
    1,
  )
