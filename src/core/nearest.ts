import type { SpanCause } from './spans.ts'
import type { Embedding, VectorHit } from './vectors.ts'

/** A hit with the value that ranks it: its semantic score, where its pieces were compared, else its cosine. */
export interface RankedHit extends VectorHit {
  semantic: number
}

/** What decides which parts a search compares. */
export interface Reach {
  /** The caller may read private items of others, so all parts are compared. */
  others: boolean
  /** Parts of the project were stored without a reader, so all are compared, and the rarity of pieces is the model's. */
  unfiled: boolean
}

/** What a search asks of the vectors of a project. */
export interface NearestAsk {
  tenantId: string
  projectId: string
  /** Of the tenant. */
  shard: string
  model: string
  /** null: there is nothing to compare. Then there are no hits, and nobody is asked. */
  embedding: Embedding | null
  /** null: all. */
  namespaces: readonly string[] | null
  /** Whose own parts are compared, besides those that the whole project may read. */
  caller: string
  /** What the last statement told of caller and project. */
  reach: Reach
  /** Hits have at least this cosine; null: any. */
  floor: number | null
  /** Results that the search wants. */
  wanted: number
  /** Hits that its statement considers, of those that the caller may read. */
  considered: number
  /** Hits that its statement takes at most. */
  most: number
  /**
   * The search selects less than whole namespaces. It gets each of its items with its cosine, since they may stand anywhere
   * among those of the project.
   */
  narrow: boolean
  /** The items that the search may find, at most one more than `most`; null: unknown. */
  candidates(): Promise<string[] | null>
  /** For traces. */
  cause: SpanCause
}

/** What the statement of a search has seen, in each of its rows. */
export interface SeenByStatement {
  /** `project_words.vectors_revision`. */
  vectors_revision: number | null
  /** Hits that the caller may read and that pass the filters, as far as they are considered. */
  hits: number | null
  reads_others: 0 | 1
  unfiled: 0 | 1
}

/**
 * Why a search asks for other hits: the caller reaches further or less far than was assumed, a copy of the vectors had
 * changed since, or the caller may see too few of the hits.
 */
export type ReasonToAskAgain = 'reach' | 'outdated' | 'crowded'

export interface NearestHits {
  /** Best first: by cosine, reduced for long turns where the scale of the scores is absolute. */
  hits: readonly RankedHit[]
  /** Other hits, where the statement has seen that these do not do; null: they stand. A search asks three times at most. */
  again(seen: SeenByStatement): Promise<NearestHits | null>
}

/** The vectors of all projects, whichever tier holds them. */
export interface Vectors {
  /** The hits that are nearest to a query. Throws where a tier does not answer. */
  nearest(ask: NearestAsk): Promise<NearestHits>
}
