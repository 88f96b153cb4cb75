import type { System } from '../core/context.ts'
import { inSpan } from '../core/spans.ts'
import { BoundedMap } from '../core/values/bounded-map.ts'
import { MINUTE_MS } from '../core/values/durations.ts'
import type {
  NearestAsk,
  NearestHits,
  RankedHit,
  Reach,
  ReasonToAskAgain,
  SeenByStatement,
  Vectors,
} from '../core/nearest.ts'
import type { Embedding, ExactQuery, VectorHit } from '../core/vectors.ts'
import { rememberRevision, settledRevision } from './project-vectors/revisions.ts'

/** The vector index may show a vector only after this long (architecture §4); two minutes at worst were measured. */
const INDEX_LAG_MS = 10 * MINUTE_MS

/**
 * Hits to ask for besides those that are considered: some for items that are deleted or expired, and more for a caller who may
 * not see all that is compared. No fewer do for a search that wants few results: neighbours and age may lift any of them.
 */
const SPARE_HITS = 4
const CROWDED_SPARE_HITS = 50

const MAX_REMEMBERED = 10_000

/** Callers and projects of which a search that compared others' parts had too few hits that the caller may see. */
const crowded = new BoundedMap<string, true>(MAX_REMEMBERED)
const crowdedKey = ({ projectId, caller }: NearestAsk): string => `${projectId} ${caller}`

/** Parts are compared that the caller may not read. */
const comparesHidden = ({ reach }: NearestAsk): boolean => reach.others || reach.unfiled

type Tiers = Pick<System, 'projectVectors' | 'vectorIndex' | 'config' | 'now'>

interface Answer {
  hits: VectorHit[]
  /** The project may have hits beyond these. */
  more: boolean
  /** No other hit of the project is better than these. False where the vector index answered, which holds parts of texts. */
  exact: boolean
  /** The revision of the copy in the isolate that answered; null: the object answered. */
  copyOf: number | null
}

const NOTHING: Answer = { hits: [], more: false, exact: true, copyOf: null }

/**
 * The two tiers as one (architecture §4): the object of a project, or a copy of it in this isolate, and above the exact tier
 * the vector index with what the object has that is newer.
 */
export const tieredVectors = (tiers: Tiers): Vectors => ({ nearest: (ask) => nearest(tiers, ask, null) })

/** `reason`: why the search asks again; null: it asks for the first time. */
async function nearest(tiers: Tiers, ask: NearestAsk, reason: ReasonToAskAgain | null): Promise<NearestHits> {
  const { projectId, embedding } = ask
  const revision = reason === null ? settledRevision(projectId, tiers.now()) : null
  const all = reason === 'crowded'
  const answer = embedding
    ? await inSpan('vectors', ask.cause, {}, () => answered(tiers, ask, { embedding, revision, all }))
    : NOTHING
  let isTold = reason !== null
  return {
    hits: ranked(answer.hits),
    again: async (seen) => {
      if (!isTold) rememberRevision(projectId, seen.vectors_revision, tiers.now())
      isTold = true
      const next = reason === null && hasOtherReach(ask, seen) ? 'reach' : reasonToAskAgain(ask, answer, seen)
      if (next === 'crowded' && comparesHidden(ask)) crowded.set(crowdedKey(ask), true)
      return next && nearest(tiers, { ...ask, reach: reachOf(seen) }, next)
    },
  }
}

const reachOf = ({ reads_others: others, unfiled }: SeenByStatement): Reach => ({
  others: others === 1,
  unfiled: unfiled === 1,
})

function hasOtherReach({ embedding, reach }: NearestAsk, seen: SeenByStatement): boolean {
  const { others, unfiled } = reachOf(seen)
  return embedding !== null && (reach.others !== others || reach.unfiled !== unfiled)
}

/**
 * Hits that the caller may not see, of others or of items that are gone, change no score: a search that sees too few asks for
 * all. Hits behind the wanted results count too: the last one scales the scores, and pieces, neighbours and age lift any.
 */
function reasonToAskAgain(
  { considered, wanted }: NearestAsk,
  { copyOf, more, exact }: Answer,
  seen: SeenByStatement,
): ReasonToAskAgain | null {
  if (copyOf !== null && seen.vectors_revision !== copyOf) return 'outdated'
  const needed = exact ? considered : wanted
  return more && (seen.hits ?? 0) < needed ? 'crowded' : null
}

interface How {
  embedding: Embedding
  /** As of `ProjectQuery`. */
  revision: number | null
  /** Every item with its cosine: then hits that SQL drops cannot displace hits that it keeps. */
  all: boolean
}

async function answered(
  { projectVectors, vectorIndex, config, now }: Tiers,
  ask: NearestAsk,
  { embedding, revision, all }: How,
): Promise<Answer> {
  const { projectId, considered, most, floor } = ask
  const whole = all || ask.narrow
  const query: ExactQuery = {
    model: ask.model,
    vector: embedding.values,
    pieces: embedding.pieces,
    limit: whole
      ? Math.max(most, considered)
      : considered + (comparesHidden(ask) && crowded.has(crowdedKey(ask)) ? CROWDED_SPARE_HITS : SPARE_HITS),
    namespaces: ask.namespaces,
    reader: ask.reach.unfiled ? null : ask.caller,
    others: ask.reach.others,
    floor,
  }
  // Without a vector index the object answers alone, at every size.
  const exactMax = vectorIndex ? config.exactTierMax : Number.MAX_SAFE_INTEGER
  const freshFrom = now() - INDEX_LAG_MS
  const object = projectVectors(projectId, ask.shard)
  const exact = await object.query({ ...query, exactMax: whole ? most : exactMax, freshFrom, revision })
  if (exact.complete) {
    const more = !whole && exact.hits.length === query.limit
    return { hits: exact.hits, more, exact: true, copyOf: exact.copied ? revision : null }
  }
  if (whole) {
    const items = await ask.candidates()
    const scored =
      items && items.length <= most
        ? { hits: await object.score(query, items), complete: true }
        : await object.query({ ...query, exactMax, freshFrom })
    if (scored.complete) return { hits: scored.hits, more: false, exact: true, copyOf: null }
  }
  const indexed = (await vectorIndex?.query(ask.tenantId, projectId, query)) ?? []
  const found = merge(exact.hits, indexed)
  // The index holds no pieces, and of fresh vectors alone the object has compared none.
  const hits = embedding.pieces ? await object.score(query, [...new Set(found.map(({ item }) => item))]) : found
  // Behind a hit below the floor are only others below it.
  const allAbove = floor === null || found.every(({ similarity }) => similarity >= floor)
  return { hits, more: !whole && allAbove, exact: whole, copyOf: null }
}

/** The hits in their order, each with the value that ranks it. */
const ranked = (hits: readonly VectorHit[]): RankedHit[] =>
  hits.map((hit) => (isRanked(hit) ? hit : { ...hit, semantic: hit.similarity }))

const isRanked = (hit: VectorHit): hit is RankedHit => hit.semantic !== null

/** Keeps each version of an item once, with its better similarity; best first. */
function merge(fresh: readonly VectorHit[], others: readonly VectorHit[]): VectorHit[] {
  const byName = new Map<string, VectorHit>()
  for (const hit of [...others, ...fresh]) {
    const name = `${hit.item}:${hit.version}`
    const before = byName.get(name)
    if (!before || before.similarity < hit.similarity) byName.set(name, hit)
  }
  return [...byName.values()].sort((a, b) => b.similarity - a.similarity)
}
