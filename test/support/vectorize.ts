/**
 * A strict stand-in for a Vectorize index: enforces the documented limits and shows a mutation only after `flush()`,
 * as the real one shows it half a minute late.
 */
export class VectorizeDouble {
  /** Answers nothing but failures. */
  down = false
  readonly #dimension: number
  readonly #shown = new Map<string, VectorizeVector>()
  #waiting: (() => void)[] = []

  constructor(dimension: number) {
    this.#dimension = dimension
  }

  get size(): number {
    return this.#shown.size
  }

  ids(): string[] {
    return [...this.#shown.keys()]
  }

  flush(): void {
    for (const mutation of this.#waiting) mutation()
    this.#waiting = []
  }

  async describe(): Promise<VectorizeIndexInfo> {
    this.#check(true, '')
    const processed = { processedUpToDatetime: 0, processedUpToMutation: 0 }
    return { vectorCount: this.#shown.size, dimensions: this.#dimension, ...processed }
  }

  async upsert(vectors: VectorizeVector[]): Promise<VectorizeAsyncMutation> {
    this.#check(vectors.length <= 1_000, 'at most 1,000 vectors an upsert')
    for (const { id, values, namespace = '', metadata = {} } of vectors) {
      this.#check(new TextEncoder().encode(id).length <= 64, 'an id has at most 64 bytes')
      this.#check(values.length === this.#dimension, 'another dimension')
      this.#check(namespace.length <= 64, 'a namespace has at most 64 bytes')
      this.#check(JSON.stringify(metadata).length <= 10 * 1_024, 'metadata has at most 10 KiB')
      for (const value of Object.values(metadata)) {
        this.#check(JSON.stringify(value).length <= 66, 'an indexed value counts by its first 64 bytes')
      }
    }
    this.#waiting.push(() => vectors.forEach((vector) => this.#shown.set(vector.id, vector)))
    return { mutationId: 'm' }
  }

  async deleteByIds(ids: string[]): Promise<VectorizeAsyncMutation> {
    this.#check(ids.length > 0 && ids.length <= 100, '1 to 100 ids a deletion')
    this.#waiting.push(() => ids.forEach((id) => this.#shown.delete(id)))
    return { mutationId: 'm' }
  }

  async query(vector: VectorFloatArray | number[], options: VectorizeQueryOptions = {}): Promise<VectorizeMatches> {
    const { topK = 5, namespace, filter = {}, returnMetadata = 'none', returnValues = false } = options
    this.#check(vector.length === this.#dimension, 'another dimension')
    this.#check(topK <= (returnMetadata !== 'none' || returnValues ? 50 : 100), 'topK is too large')
    this.#check(JSON.stringify(filter).length < 2_048, 'a filter has less than 2 KB')
    const matches = [...this.#shown.values()]
      .filter((one) => one.namespace === namespace && holds(filter, one.metadata ?? {}))
      .map((one) => ({ id: one.id, score: cosine(vector, one.values) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, topK)
    return { matches, count: matches.length }
  }

  #check(holds: boolean, rule: string): void {
    if (this.down) throw new Error('VECTOR_QUERY_ERROR (code = 10000): the index is down')
    if (!holds) throw new Error(`VECTOR_ERROR (code = 40000): ${rule}`)
  }
}

/** Equality and `$in`, over properties that have a metadata index. */
function holds(filter: VectorizeVectorMetadataFilter, metadata: Record<string, unknown>): boolean {
  return Object.entries(filter).every(([property, wanted]) => {
    if (!['project_id', 'namespace', 'model', 'place', 'reader'].includes(property))
      throw new Error(`no metadata index on ${property}`)
    if (wanted === null || typeof wanted !== 'object') return metadata[property] === wanted
    const list: unknown = Reflect.get(wanted, '$in')
    return Array.isArray(list) && list.includes(metadata[property])
  })
}

const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
