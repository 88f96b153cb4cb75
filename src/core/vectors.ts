/** A part of a text: offsets in UTF-16 units, so that `text.slice(start, end)` is the part. */
export interface Chunk {
  start: number
  end: number
}

/** A chunk as its embedder cuts it. */
export interface CutChunk extends Chunk {
  /** The word pieces of the part, where the embedder met them while it cut. `embed` takes them instead of finding them again. */
  pieces?: Uint16Array
}

/** The embedding of one text. */
export interface Embedding {
  /** Of unit length. */
  values: Float32Array
  /** Ids of the word pieces of the text, in their order, of a query those that say what it is about; null: the model tells none. */
  pieces: Uint16Array | null
}

/** A vector that the tiers store. Its name in the vector index is `mem_…:<version>:<chunk>`. */
export interface VectorEntry {
  item: string
  /** `memory_items.row` of the item. With it a search looks up a hit at half the cost. */
  row?: number
  /** `vector_version` of the item. */
  version: number
  chunk: number
  /** Where the chunk stands in the item's text. */
  offsets: Chunk
  namespace: string
  /** Who may read the item: its creator, or '' for the whole project. null, and absent in a call of an older version: unknown. */
  reader?: string | null
  /** Words of an item that is a turn of a conversation; 0 of another item. null, and absent in a call of an older version: unknown. */
  turnWords?: number | null
  /** Of unit length. */
  values: Float32Array
  /** As in `Embedding`. */
  pieces: Uint16Array | null
}

/** A semantic hit. SQL alone decides whether the caller may read its item. */
export interface VectorHit {
  item: string
  /** As in the vector's entry. A hit of the vector index has none. */
  row?: number
  version: number
  /** The best chunk of the item by cosine. */
  chunk: number
  /** Where it stands in the item's text; null: the tier does not know. */
  offsets: Chunk | null
  /** Cosine. */
  similarity: number
  /** Semantic score, where the pieces of all chunks were compared (`SemanticScoring` `pieces`); else null. */
  semantic: number | null
}

export interface VectorQuery {
  model: string
  vector: Float32Array
  /** As in `Embedding`, of the query. */
  pieces: Uint16Array | null
  /**
   * Items wanted: the nearest. Each is a hit at most once, with its best chunk. With pieces the scale of the scores is
   * absolute, and long turns are charged (`core/values/long-turns.ts`) as far as the tier knows their words.
   */
  limit: number
  /** null: all. */
  namespaces: readonly string[] | null
  /**
   * The caller. The parts that the whole project may read and the caller's own are compared, and the rarity of pieces is
   * counted over these. null, and absent in a call of an older version: all are compared, and rarity is the model's alone.
   */
  reader?: string | null
  /** Parts that only others may read are compared too. They count in no rarity. */
  others?: boolean
}

/** A query of the exact tier. */
export interface ExactQuery extends VectorQuery {
  /** Hits have at least this cosine; null, and absent in a call of an older version: any. */
  floor?: number | null
}

/** A query of all vectors of a project. */
export interface ProjectQuery extends ExactQuery {
  exactMax: number
  freshFrom: number
  /**
   * `project_words.vectors_revision`, once statements keep telling the same: then a copy of the vectors that is as
   * of this revision may answer, which the isolate holds. null, and absent: the project's object answers.
   */
  revision?: number | null
}

/** The vectors of all versions of an item, or of those up to `version`. */
export interface VectorsOf {
  item: string
  version?: number
}

/** The reader of the vectors of an item, which an older version of the service stored without, and what else it may lack. */
export interface ReaderOf {
  item: string
  /** As in `VectorEntry`. */
  version: number
  reader: string
  turnWords?: number | null
}

/** The exact tier of one project (architecture §4). A vector put is found by the next query. */
export interface ProjectVectors {
  /**
   * Replaces the vectors of the items. It ignores an entry that is older than the vectors of its item, so a slow
   * embedder does no harm. Answers whether it keeps readers: an object of an older version does not.
   */
  put(model: string, entries: readonly VectorEntry[]): Promise<boolean>
  /** Sets the readers of stored vectors, and their words where they are given. Answers the items of which it has none of this version. */
  setReaders(readers: readonly ReaderOf[]): Promise<string[]>
  /** The stored vectors of items, as far as bytes tell them, without their pieces. */
  entries(items: readonly VectorsOf[]): Promise<VectorEntry[]>
  /**
   * Scores all vectors where there are at most `exactMax`, and compares the pieces of the hits. Else it scores those put
   * at or after `freshFrom`, by their cosines alone, and answers `complete: false`. Best first, by the cosine less the
   * charge. `copied`: a copy as of the query's revision answered.
   */
  query(query: ProjectQuery): Promise<{ hits: VectorHit[]; complete: boolean; copied: boolean }>
  /** Scores the vectors of these items only, and compares the pieces of the hits. */
  score(query: ExactQuery, items: readonly string[]): Promise<VectorHit[]>
  remove(items: readonly VectorsOf[]): Promise<void>
  /** Names of the vectors that the object holds of these items. */
  names(items: readonly VectorsOf[]): Promise<string[]>
  /** Some items that have vectors here, at most `limit`. */
  items(limit: number): Promise<string[]>
}

/** The tier for large projects. It answers at scale, but shows a new vector late (architecture §4). */
export interface VectorIndex {
  upsert(tenantId: string, projectId: string, entries: readonly VectorEntry[]): Promise<void>
  query(tenantId: string, projectId: string, query: VectorQuery): Promise<VectorHit[]>
  remove(names: readonly string[]): Promise<void>
  /** The dimension of its vectors. Throws where the index does not answer. */
  dimension(): Promise<number>
}
