import type { AuthContext } from '../../core/context.ts'
import { isId, timeOfId } from '../../core/values/ids.ts'
import { credentialMayReceive, mayReceive } from '../access.ts'
import { readEphemeralId } from './ephemeral-id.ts'
import type { EventRow } from '../event.ts'
import { matches } from '../match.ts'
import { KEPT_MS } from '../outbox.ts'

/** Any id sent within this time resumes (contract §5). */
export const RESUMABLE_MS = 24 * 3_600_000
/** No fan-out takes longer: past that it has failed, and its next attempt stamps the event anew. */
const FAN_OUT_MS = 60_000
/** Two machines may disagree about the time by as much. */
const CLOCK_SKEW_MS = 1_000
/** Missed events that are sent again; with more, none are (contract §5). */
export const MAX_MISSED = 1_000
/** Repeats of what was under way at that moment, which are sent besides. */
const MAX_REPEATED = 1_000
/** Rows a read: 32 KiB of data each must fit in memory. */
const PAGE_ROWS = 200
/** Rows that are looked through for one resume; a credential limited to a project may hear few of them. */
const MAX_SCANNED_ROWS = 20_000

/** What is known of the id that a client names. */
export interface LastEvent {
  id: string
  /** Its row in the history, of the caller's tenant; null where it has none. */
  stored: Pick<EventRow, 'fanned_out_at' | 'settled_at'> | null
  /** Made for this caller without a history row: up to when its receiver had heard all; else null. */
  ephemeral: number | null
}

/**
 * The instant up to which the client has certainly heard all, in milliseconds: every fan-out that was complete by then.
 * Null where the id is malformed, unknown, foreign or too old. It is what the id itself tells, not the stamp of its
 * fan-out, which a repeated fan-out moves on.
 */
export function heardUntil({ id, stored, ephemeral }: LastEvent, now: number): number | null {
  if (!isId('evt', id) || (!stored && ephemeral === null)) return null
  const madeAt = timeOfId(id)
  const sentAt = Math.max(madeAt, stored?.fanned_out_at ?? 0, stored?.settled_at ?? 0)
  const until = ephemeral ?? madeAt
  return sentAt < now - RESUMABLE_MS || until < now - KEPT_MS ? null : until
}

export interface Missed {
  /** The instant up to which the client has heard all, in milliseconds: as long as it has not got `events`. */
  heardAllUntil: number
  /** In order, perhaps with repeats. */
  events: EventRow[]
}

/** All that was missed; null where it cannot be told or is too much: never a part. */
export async function missedEvents(
  ctx: AuthContext,
  channels: readonly string[],
  lastEventId: string,
): Promise<Missed | null> {
  const heardAllUntil = heardUntil(await lookUp(ctx, lastEventId), ctx.now())
  if (heardAllUntil === null) return null
  const heard: EventRow[] = []
  let missed = 0
  let after: [number, string] = [heardAllUntil - FAN_OUT_MS, '']
  for (let scanned = 0; scanned < MAX_SCANNED_ROWS; scanned += PAGE_ROWS) {
    const rows = await readPage(ctx, channels, heardAllUntil, after)
    for (const row of rows) {
      if (row.id === lastEventId || !matches({ channels, types: [], filters: {} }, row)) continue
      if (!credentialMayReceive(ctx.principal, row)) continue
      heard.push(row)
      if ((row.fanned_out_at ?? 0) > heardAllUntil) missed += 1
    }
    if (missed > MAX_MISSED || heard.length - missed > MAX_REPEATED) return null
    const last = rows.at(-1)
    if (rows.length < PAGE_ROWS || !last) return { heardAllUntil, events: heard }
    after = [last.fanned_out_at ?? 0, last.id]
  }
  return null
}

const readPage = (
  ctx: AuthContext,
  channels: readonly string[],
  heardAllUntil: number,
  [at, id]: [number, string],
): Promise<EventRow[]> =>
  ctx.db.all<EventRow>(
    `select e.* from events e
     where e.tenant_id = ?1 and e.fanned_out_at >= ?2 and (e.fanned_out_at, e.id) > (?2, ?3) and e.expires_at > ?4
       and (e.settled_at is null or e.settled_at >= ?7) and e.type not in ('typing.start', 'typing.stop')
       and e.channel in (select value from json_each(?5)) and ${mayReceive('e', '?6')}
     order by e.fanned_out_at, e.id limit ${PAGE_ROWS}`,
    ctx.principal.tenantId,
    at,
    id,
    ctx.now(),
    JSON.stringify(channels),
    ctx.principal.userId,
    heardAllUntil - CLOCK_SKEW_MS,
  )

async function lookUp(ctx: AuthContext, id: string): Promise<LastEvent> {
  const { tenantId, userId, routingId } = ctx.principal
  const ephemeral = await readEphemeralId(ctx, id, [routingId, tenantId])
  const stored =
    ephemeral !== null
      ? null
      : await ctx.db.first<Pick<EventRow, 'fanned_out_at' | 'settled_at'>>(
          `select fanned_out_at, settled_at from events where id = ?1 and tenant_id = ?2
         and (targets is null or exists (select 1 from json_each(targets) t where t.value = ?3))`,
          id,
          tenantId,
          userId,
        )
  return { id, stored, ephemeral }
}
