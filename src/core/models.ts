import type { RequestContext } from './context.ts'
import type { ModelDown } from './embedding.ts'
import type { Principal } from './principal.ts'
import type { CutChunk, Embedding } from './vectors.ts'

/**
 * How the cosines of an answer become semantic scores from 0 to 1. `pieces`: half the cosine, half the pieces against the
 * pieces. `relative`: the cosine above that of the last hit.
 */
export type SemanticScoring = 'pieces' | 'relative'

/** A text of a lower cosine is no semantic match. */
interface Floors {
  known: number
  /** Of a query of which the model knows less than half of the longer words: there it compares spellings. */
  foreign: number
  /** The least semantic score of a text for such a query; null: any. Made-up words are like parts of words, but not like their pieces. */
  spelling: SpellingFloor | null
}

/** `least`, and `growth` times the logarithm of the number of parts that a text has: each part is another chance. */
interface SpellingFloor {
  least: number
  growth: number
}

/** What is known of an embedding model without asking it. */
interface DescribedModel {
  /** Stored with each item, so that another model embeds it again. */
  readonly model: string
  /** null: unknown. Then the length of an item's vectors is its dimension. */
  readonly dimension: number | null
  /** Texts that one call has at most. */
  readonly maxTexts: number
  /** Weight of the semantic score in hybrid search, from 0 to 1; the rest is the keyword score's. */
  readonly semanticWeight: number
  readonly scoring: SemanticScoring
  /** null: any text may be a semantic match. */
  readonly floors: Floors | null
  /** Share of the longer words of a query that the model knows whole, from 0 to 1; 1 where the model does not tell. */
  wordShare(query: string): number
  /**
   * Cuts a text into the chunks that have a vector each. They are in order and cover all of it. Deterministic, and the
   * same text always has the same chunks.
   */
  chunks(text: string): CutChunk[]
}

/** Turns texts into embeddings: what a backend implements. Throws where the model does not answer. Nobody has checked its answers. */
export interface EmbeddingModel extends DescribedModel {
  /** Each embedding is a call over the network, which the provider limits for all users together. */
  readonly remote: boolean
  /**
   * One embedding for each text, in order; null for a text of which the model knows nothing. `signal` aborts when the
   * caller no longer waits for the answer. `pieces`: of each text those that `chunks` told.
   */
  embed(
    texts: string[],
    purpose: 'document' | 'query',
    signal?: AbortSignal,
    pieces?: readonly CutChunk['pieces'][],
  ): Promise<(Embedding | null)[]>
}

/** The embedding model as consumers and sweeps ask it: within a deadline, not during a pause, and every answer is checked. */
export interface Embedder extends DescribedModel {
  /** The dimension as far as this isolate knows; null: no setting names it, and the model has not answered twice. */
  readonly dimension: number | null
  /** Like `dimension`, but asks the database first where the isolate does not know. */
  readDimension(): Promise<number | null>
  /** What a call would throw instead of asking the model; null where it may be asked. */
  down(): ModelDown | null
  /**
   * One embedding for each part of a document, in order, as of `EmbeddingModel`. Throws what the model throws,
   * `UnusableAnswer`, or `ModelDown` where it did not ask the model.
   */
  embed(texts: string[], pieces?: readonly CutChunk['pieces'][]): Promise<(Embedding | null)[]>
  /** The service refused a larger call than one of this many texts. For an hour no call has more. */
  takesAtMost(texts: number): void
  /**
   * Called after a failure that a text may have caused. Throws where the model embeds no harmless text either: it is down,
   * and the texts are not to blame.
   */
  requireWell(): Promise<void>
  /** The same model for one request of a user. A user who asks very often queues behind their own queries. */
  inTurnOf(caller: Principal, request: RequestContext): QueryEmbedder
}

export interface QueryVector {
  /** The same for the same query of the same tenant and model. */
  id: string
  /** null: the model knows nothing of the query, so no item is like it. */
  embedding: Embedding | null
}

/** The embedding model of one request. */
export interface QueryEmbedder extends Embedder {
  /**
   * The vector of a query. A remote model is called unless the same tenant asked the same query before. Throws as `embed`
   * does, and 503 where the user or the tenant has too many calls to a remote model.
   */
  query(text: string): Promise<QueryVector>
}

/** A cross-encoder: reads a query and a text together and scores how well the text answers it. What a backend implements. */
export interface RerankingModel {
  /** For the log. */
  readonly model: string
  /**
   * One finite score for each text, in their order; a higher one is better. Throws where the model does not answer, and
   * `UnusableAnswer` where it answers something else. `signal` aborts when the caller no longer waits.
   */
  rerank(query: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]>
}

/** The reranker of a deployment. It is asked for requests alone. */
export interface Reranker {
  readonly model: string
  /** The same model for one request of a user: within a deadline, not during a pause, and in the turn of the user. */
  inTurnOf(caller: Principal, request: RequestContext): QueryReranker
}

/** The reranker of one request. */
export interface QueryReranker extends Reranker {
  /** As of `RerankingModel`. Throws `RerankLate` and `RerankBusy` too, and `ModelDown` where it did not ask the model. */
  rerank(query: string, texts: readonly string[]): Promise<number[]>
}
