/** Bytes of vectors that the object of a project scans for one search. A core takes about 3 ms for them (docs/scaling.md). */
export const EXACT_TIER_BYTES = 10_240_000
/** Below 342 dimensions the data beside each vector sets the bound. */
export const EXACT_TIER_VECTORS = 30_000

/** The number of vectors of this dimension up to which the object answers alone; null: the dimension is unknown. */
export const exactTier = (dimension: number | null): number =>
  Math.min(EXACT_TIER_VECTORS, Math.floor(EXACT_TIER_BYTES / (dimension ?? 1_024)))
