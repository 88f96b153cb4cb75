import { sha256 } from '../core/values/hash.ts'
import type { VectorEntry, VectorHit, VectorIndex, VectorQuery } from '../core/vectors.ts'
import { parseVectorName, vectorName } from '../core/values/vector-name.ts'
import { portions } from '../core/values/portions.ts'

/** Bounds of Vectorize (architecture §9, and its documentation of limits). */
const MAX_UPSERT = 1_000
const MAX_DELETE = 100
const MAX_TOP_K = 100
const MAX_NAMESPACES_IN_FILTER = 20
/** Places are short. A filter of so many has 1.7 of its 2 KB. */
const MAX_PLACES_IN_FILTER = 64
/** Characters of the hash of a namespace: fewer than a metadata index holds, and enough that no two are equal. */
const PLACE_CHARACTERS = 22
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
 * needs metadata indexes on `project_id`, `namespace`, `model`, `place` and `reader`. A query answers at most 100 ids.
 */
export const vectorizeIndex = (index: VectorizeBinding, modelOfEntries: string): VectorIndex => ({
  async upsert(tenantId, projectId, entries) {
    const namespace = await namespaceOf(tenantId)
    const places = await placesOf(new Set(entries.map((entry) => entry.namespace)))
    const vectors = entries.map((entry) => ({
      id: vectorName(entry.item, entry.version, entry.chunk),
      namespace,
      values: entry.values,
      metadata: { project_id: projectId, model: modelOfEntries, ...filingOf(entry, places) },
    }))
    for (const some of portions(vectors, MAX_UPSERT)) await index.upsert(some)
  },

  async query(tenantId, projectId, { model, vector, limit, ...of }: VectorQuery) {
    if (of.namespaces?.length === 0) return []
    const { matches } = await index.query(vector, {
      topK: Math.min(limit, MAX_TOP_K),
      namespace: await namespaceOf(tenantId),
      filter: { project_id: projectId, model, ...(await within(of)) },
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

/** `reader` of vectors that the whole project may read. Users' ids are longer. */
const EVERYONE = '*'

/** What a query filters by, besides project and model. Older versions of the service filter by `namespace`. */
const filingOf = ({ namespace, reader = null }: VectorEntry, places: Map<string, string>) => ({
  ...(isIndexed(namespace) ? { namespace } : {}),
  ...(reader === null ? {} : { place: places.get(namespace) ?? '', reader: reader === '' ? EVERYONE : reader }),
})

/** Vectors without a reader have no place either, so a query that has to find them filters by `namespace`. */
async function within({
  namespaces,
  reader = null,
  others = false,
}: Pick<VectorQuery, 'namespaces' | 'reader' | 'others'>): Promise<VectorizeVectorMetadataFilter> {
  if (reader === null) return namespaces && mayFilterBy(namespaces) ? { namespace: { $in: [...namespaces] } } : {}
  const places = namespaces && namespaces.length <= MAX_PLACES_IN_FILTER ? await placesOf(new Set(namespaces)) : null
  return {
    ...(places ? { place: { $in: [...places.values()] } } : {}),
    ...(others ? {} : { reader: { $in: [EVERYONE, reader] } }),
  }
}

/** The place of each namespace. */
const placesOf = async (namespaces: ReadonlySet<string>): Promise<Map<string, string>> =>
  new Map(
    await Promise.all(
      Array.from(namespaces, async (name): Promise<[string, string]> => [
        name,
        (await sha256(name)).slice(0, PLACE_CHARACTERS),
      ]),
    ),
  )

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
