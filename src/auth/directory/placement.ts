import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { isMigrated } from '../../core/database/migrated.ts'
import { query, wholeRow } from '../../core/database/query.ts'
import { AppError, invalid, unavailable } from '../../core/errors.ts'
import { shardSweep } from '../../core/queue.ts'
import { FIRST_SHARD } from '../../core/shards.ts'
import { openRegions, regionsNear, type CallerLocation, type Region } from '../../core/regions.ts'
import { directoryDatabase } from './accounts.ts'
import { shard_states } from './table.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

/** The most that one database bears: D1's limit of size, and about a thousand statements a second (docs/scaling.md). */
const MAX_BYTES = 10 * 1024 ** 3
const MAX_REQUESTS_A_SECOND = 1_000
/** Requests are counted in steps of this length. */
const STEP_MS = 5 * MINUTE_MS
/** A shard that no sweep has seen for this long gets no new tenants. */
const UNSEEN_MS = 3 * STEP_MS

type ShardState = typeof shard_states.$inferSelect

const states = query((db) => db.select().from(shard_states))

const storeState = query((db, row: ShardState) => {
  const whole = wholeRow(shard_states, row)
  return db.insert(shard_states).values(whole).onConflictDoUpdate({ target: shard_states.shard, set: whole })
})

const markUnusable = query((db, row: ShardState) =>
  db
    .insert(shard_states)
    .values(wholeRow(shard_states, row))
    .onConflictDoUpdate({
      target: shard_states.shard,
      set: { usable: 0, seen_at: wholeRow(shard_states, row).seen_at },
    }),
)

const UNKNOWN_STATE = { bytes: 0, audit_bytes: 0, requests: 0, usable: 0, missing_tenants: 0 }

/** The room that a shard has, from 1 to 0 and below. The scarcest of its size, its audit's size and its rate decides. */
export const roomOf = ({ bytes, audit_bytes, requests }: ShardState): number =>
  1 - Math.max(bytes / MAX_BYTES, audit_bytes / MAX_BYTES, requests / ((STEP_MS / 1_000) * MAX_REQUESTS_A_SECOND))

/** Where a new tenant wants to be: the region that its sign-up chose, and the location of its request, where they are known. */
export interface Wish {
  region?: Region | undefined
  location?: CallerLocation | null
}

/**
 * 422 where nobody who signs up can be in this region now. `onlyFirst`: of the first tenant of all, which is in the
 * directory's shard.
 */
export function requireOpenRegion({ config }: System, region: Region | undefined, onlyFirst: boolean): void {
  const open = openRegions(config, onlyFirst)
  if (region === undefined || open.includes(region)) return
  const choice = open.length === 0 ? 'Omit it.' : `Choose one of ${open.join(', ')}, or omit it.`
  throw invalid('region', 'region_unavailable', `This region does not accept new accounts. ${choice}`)
}

/**
 * The shard of a new tenant, which has just answered: of the open ones in the region that it chose, else in the region
 * nearest to its location that has one, else of all open ones. Of these it is the one with the most room, among those that were
 * well when a sweep looked. Where it has seen none, the next region decides. 403 where the operator has closed all, and 503
 * where none answers.
 */
export async function shardForNewTenant(system: System, wish: Wish = {}): Promise<string> {
  requireOpenRegion(system, wish.region, false)
  const choices = choicesOf(system, wish)
  const all = choices.flat()
  if (all.length === 0) throw new AppError('forbidden', { detail: 'Sign-ups are closed here.' })
  for (const shard of all.length === 1 ? all : await ranked(system, choices))
    if (await answers(system, shard)) return shard
  throw unavailable('The database')
}

/** The shards of each group that are well, those with the most room first. Behind them those that no sweep has seen. */
async function ranked(system: System, choices: readonly string[][]): Promise<string[]> {
  const since = system.now() - UNSEEN_MS
  const seen = new Map(
    (await directoryDatabase(system).all(states, {}))
      .filter(({ seen_at }) => seen_at > since)
      .map((state) => [state.shard, state]),
  )
  const well = choices.flatMap((choice) =>
    choice
      .flatMap((shard) => seen.get(shard) ?? [])
      .filter(({ usable }) => usable === 1)
      .toSorted((a, b) => roomOf(b) - roomOf(a) || (a.shard < b.shard ? -1 : 1))
      .map(({ shard }) => shard),
  )
  const unseen = choices.flat().filter((shard) => !seen.has(shard))
  const usable = [...well, ...unseen]
  return usable.length > 0 ? usable : choices.flat()
}

/** The directory's shard has answered already. Another one is asked before its address is reserved for a minute. */
async function answers(system: System, shard: string): Promise<boolean> {
  if (shard === FIRST_SHARD) return true
  try {
    await system.database(shard).size()
    return true
  } catch (error) {
    shardFailed(system, shard, error)
    return false
  }
}

/** Keeps new tenants from a shard that has just failed, until a sweep finds it well. */
export function shardFailed(system: System, shard: string, cause: unknown): void {
  system.log.error({ event: 'directory.shard_failed', shard }, cause)
  const mark = async (): Promise<void> => {
    try {
      await directoryDatabase(system).write(markUnusable, { ...UNKNOWN_STATE, shard, seen_at: system.now() })
    } catch (error) {
      system.log.error({ event: 'directory.shard_not_marked', shard }, error)
    }
  }
  system.waitUntil(mark())
}

/** The open shards that may get a new tenant, in groups of which an earlier one goes first. A shard without a region is last. */
function choicesOf({ shards, config }: System, { region, location }: Wish): string[][] {
  const { closedShards, shardRegions } = config
  const open = shards.filter((shard) => !closedShards.includes(shard))
  const of = (one: Region | undefined): string[] => open.filter((shard) => shardRegions.get(shard) === one)
  if (region !== undefined) return [of(region)]
  const near = location && shardRegions.size > 0 ? regionsNear(location) : null
  return near ? [...near, undefined].map(of).filter((group) => group.length > 0) : [open]
}

/** Looks at the size and the rate of each shard, and at its migrations. */
export const lookSweep = shardSweep('directory.look', 5, async (system, db, shard) => {
  const store = (state: Partial<ShardState>) =>
    directoryDatabase(system).write(storeState, {
      shard,
      seen_at: system.now(),
      ...UNKNOWN_STATE,
      ...state,
    })
  try {
    const audit = system.auditDatabase(shard)
    const migrated = (await isMigrated(db, 'DB')) && (await isMigrated(audit, 'AUDIT_DB'))
    if (!migrated) system.log.error({ event: 'directory.shard_behind', shard })
    await store(migrated ? await look(system, db, audit) : {})
  } catch (error) {
    await store({})
    throw error
  }
})

async function look(system: System, db: Database, audit: Database): Promise<Partial<ShardState>> {
  const now = system.now()
  const counted = await audit.first<{ requests: number | null }>(
    'select sum(count) as requests from usage_counts where at = :step',
    { step: now - (now % STEP_MS) - STEP_MS },
  )
  // The directory first: it knows a tenant only after its shard has it.
  const known = await tenantsIn(directoryDatabase(system), 'tenant_directory where shard = :shard', db.shard)
  const there = await tenantsIn(db, 'tenants')
  return {
    missing_tenants: Math.max(0, known - there),
    bytes: await db.size(),
    audit_bytes: await audit.size(),
    requests: counted?.requests ?? 0,
    usable: 1,
  }
}

async function tenantsIn(db: Database, rows: string, shard?: string): Promise<number> {
  const params = shard === undefined ? {} : { shard }
  return (await db.first<{ tenants: number }>(`select count(*) as tenants from ${rows}`, params))?.tenants ?? 0
}
