/** Where shards are (`SHARD_REGIONS`), and which of them is nearest to whom. The service and the tools share it. */
import { FIRST_SHARD } from './shards.ts'

/** The regions in which D1 makes a database, each with its name. Cloudflare makes Durable Objects in each of them too. */
export const REGION_NAMES = {
  wnam: 'Western North America',
  enam: 'Eastern North America',
  weur: 'Western Europe',
  eeur: 'Eastern Europe',
  apac: 'Asia and Pacific',
  oc: 'Oceania',
} as const
export type Region = keyof typeof REGION_NAMES

export const REGIONS = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc'] as const satisfies readonly Region[]

export const isRegion = (name: unknown): name is Region => REGIONS.some((region) => region === name)

/** Where Cloudflare can be asked to make a Durable Object (`DATA_REGION`). */
export const DATA_REGIONS = [...REGIONS, 'sam', 'apac-ne', 'apac-se', 'afr', 'me'] as const
export type DataRegion = (typeof DATA_REGIONS)[number]

/** The region of each shard that has one. */
export type ShardRegions = ReadonlyMap<string, Region>

/** The text of `SHARD_REGIONS`, such as `00:weur,01:enam`. */
export const shardRegionsText = (regions: ShardRegions): string =>
  [...regions]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([shard, region]) => `${shard}:${region}`)
    .join()

/** Where a request came from, as Cloudflare says. */
export interface CallerLocation {
  /** `AF`, `AN`, `AS`, `EU`, `NA`, `OC` or `SA`. */
  continent: string
  /** In degrees, east positive; null: unknown. */
  longitude: number | null
}

/** Meridians between west and east (docs/scaling.md): Winnipeg to Dallas, and Berlin to Vienna. */
const NORTH_AMERICA_DIVIDES_AT = -100
const EUROPE_DIVIDES_AT = 15

/** All regions, the nearest to each first. */
const NEAREST: Record<Region, readonly Region[]> = {
  wnam: ['wnam', 'enam', 'apac', 'weur', 'oc', 'eeur'],
  enam: ['enam', 'wnam', 'weur', 'eeur', 'apac', 'oc'],
  weur: ['weur', 'eeur', 'enam', 'wnam', 'apac', 'oc'],
  eeur: ['eeur', 'weur', 'enam', 'wnam', 'apac', 'oc'],
  apac: ['apac', 'oc', 'wnam', 'weur', 'eeur', 'enam'],
  oc: ['oc', 'apac', 'wnam', 'enam', 'weur', 'eeur'],
}

/** All regions, the nearest to a place first; null where nothing is known of its continent. */
export function regionsNear({ continent, longitude }: CallerLocation): readonly Region[] | null {
  switch (continent) {
    case 'NA':
      return NEAREST[longitude !== null && longitude < NORTH_AMERICA_DIVIDES_AT ? 'wnam' : 'enam']
    case 'SA':
      return NEAREST.enam
    case 'EU':
      return NEAREST[longitude !== null && longitude >= EUROPE_DIVIDES_AT ? 'eeur' : 'weur']
    case 'AF':
      return NEAREST.weur
    case 'AS':
      return NEAREST.apac
    case 'OC':
    case 'AN':
      return NEAREST.oc
    default:
      return null
  }
}

/** The regions that new tenants can be in, in the order of the shards. The first tenant of all is in the directory's shard. */
export function openRegions(
  { shardRegions, closedShards }: { shardRegions: ShardRegions; closedShards: readonly string[] },
  onlyFirst: boolean,
): Region[] {
  const open = [...shardRegions].filter(([shard]) =>
    onlyFirst ? shard === FIRST_SHARD : !closedShards.includes(shard),
  )
  return [...new Set(open.map(([, region]) => region))]
}
