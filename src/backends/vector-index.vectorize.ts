import { sha256 } from '../core/values/hash.ts'
import type { VectorEntry, VectorHit, VectorIndex, VectorQuery } from '../core/vectors.ts'
import { parseVectorName, vectorName } from '../core/values/vector-name.ts'
import { portions } from '../core/values/portions.ts'

/** Bounds of Vectorize (architecture §9, and its documentation of limits). */
const MAX_UPSERT = 1_000
const MAX_DELETE = 100
const MAX_TOP_K = 100
const MAX_NAMESPACES_IN_FILTER = 20
/** A metadata index holds the first 64 bytes of a value, so it cannot tell longer ones apart. */
const MAX_INDEXED_CHARACTERS = 64
/** An index has at most 50,000 namespaces, so tenants share them. The filter on `project_id` tells their vectors apart. */
const NAMESPACES = 4_096

/** The part of the `VECTORIZE` binding that is used. */
export interface VectorizeBinding {
  upsert(vectors: VectorizeVector[]): Promise<unknown>
  deleteByIds(ids: string[]): Promise<unknown>
  describe(): Promise<unknown>
  query(vector: Float32Array, options: VectorizeQueryOptions): Promise<{ matches: { id: string; score: number }[] }>
}

/**
 * Cloudflare Vectorize: holds a copy of every vector, answers at scale, and shows a new vector after half a minute. It
 * needs metadata indexes on `project_id`, `namespace` and `model`. A query answers at most 100 ids.
 */
export const vectorizeIndex = (index: VectorizeBinding, modelOfEntries: string): VectorIndex => ({
  async upsert(tenantId, projectId, entries) {
    const namespace = await namespaceOf(tenantId)
    const vectors = entries.map((entry) => toVector(entry, namespace, projectId, modelOfEntries))
    for (const some of portions(vectors, MAX_UPSERT)) await index.upsert(some)
  },

  async query(tenantId, projectId, { model, vector, limit, namespaces }: VectorQuery) {
    if (namespaces?.length === 0) return []
    const within = namespaces && mayFilterBy(namespaces) ? { namespace: { $in: [...namespaces] } } : {}
    const { matches } = await index.query(vector, {
      topK: Math.min(limit, MAX_TOP_K),
      namespace: await namespaceOf(tenantId),
      filter: { project_id: projectId, model, ...within },
      returnMetadata: 'none',
      returnValues: false,
    })
    return bestOfEachItem(matches)
  },

  async remove(names) {
    for (const some of portions(names, MAX_DELETE)) await index.deleteByIds(some)
  },

  async dimension() {
    // The binding's type is still that of the beta.
    const { dimensions } = (await index.describe()) as VectorizeIndexInfo
    return dimensions
  },
})

const toVector = (entry: VectorEntry, namespace: string, projectId: string, model: string): VectorizeVector => ({
  id: vectorName(entry.item, entry.version, entry.chunk),
  namespace,
  values: entry.values,
  metadata: { project_id: projectId, model, ...(isIndexed(entry.namespace) ? { namespace: entry.namespace } : {}) },
})

/** The characters of a namespace are ASCII. */
const isIndexed = (namespace: string): boolean => namespace.length <= MAX_INDEXED_CHARACTERS

/** A filter has 2 KB. Without one, SQL drops the hits of other namespaces. */
const mayFilterBy = (namespaces: readonly string[]): boolean =>
  namespaces.length <= MAX_NAMESPACES_IN_FILTER && namespaces.every(isIndexed)

const namespaceOf = async (tenantId: string): Promise<string> =>
  `t${Number.parseInt((await sha256(tenantId)).slice(0, 8), 16) % NAMESPACES}`

function bestOfEachItem(matches: readonly { id: string; score: number }[]): VectorHit[] {
  const byItem = new Map<string, VectorHit>()
  for (const { id, score } of matches) {
    const name = parseVectorName(id)
    const key = name && `${name.item}:${name.version}`
    if (name && key && (byItem.get(key)?.similarity ?? -Infinity) < score)
      byItem.set(key, { ...name, offsets: null, similarity: score, semantic: null })
  }
  return [...byItem.values()].sort((a, b) => b.similarity - a.similarity)
}
