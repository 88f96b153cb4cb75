import type { AuthContext } from '../../core/context.ts'
import { isId, timeOfId } from '../../core/values/ids.ts'
import { readEphemeralId } from '../../hub/index.ts'
import { credentialMayReceive, mayReceive } from '../access.ts'
import type { EventRow } from '../event.ts'
import { matches } from '../match.ts'
import { KEPT_MS } from '../outbox.ts'
import { DAY_MS, MINUTE_MS } from '../../core/values/durations.ts'

/** An id resumes for this long after it was sent (contract §5). */
export const RESUMABLE_MS = DAY_MS
/** A fan-out that takes longer has failed, and its next attempt sets `fanned_out_at` again. */
const FAN_OUT_MS = MINUTE_MS
/** The clocks of two machines differ by no more than this. */
const CLOCK_SKEW_MS = 1_000
/** With more events that were made since the last one, none is sent (contract §5). */
export const MAX_MISSED = 1_000
/** Rows of one read. Their data, 32 KiB each, must fit in memory. */
const PAGE_ROWS = 200
/** Rows that one resume reads. A credential that is limited to a project may receive few of them. */
export const MAX_SCANNED_ROWS = 20_000
/** Characters of the events that one resume holds in memory: twice as many as the most missed events with the most data. */
export const MAX_HELD_CHARACTERS = 64 * 1024 * 1024
/** The fields of an event beside its data. */
const ROW_CHARACTERS = 1_024

/** The id that a client names, as it was looked up. */
export interface LastEvent {
  id: string
  /** Its row in the history of the caller's tenant; null where there is none. */
  stored: Pick<EventRow, 'fanned_out_at' | 'settled_at'> | null
  /** Of an ephemeral id that was made for the caller: the instant up to which its receiver had received all. Else null. */
  ephemeral: number | null
}

/**
 * The instant up to which the client has certainly received all, in milliseconds. Null where the id is malformed, unknown,
 * foreign or too old. The time in the id counts, not `fanned_out_at`, which a repeated fan-out moves.
 */
export function receivedUntil({ id, stored, ephemeral }: LastEvent, now: number): number | null {
  if (!isId('evt', id) || (!stored && ephemeral === null)) return null
  const madeAt = timeOfId(id)
  const sentAt = Math.max(madeAt, stored?.fanned_out_at ?? 0, stored?.settled_at ?? 0)
  const until = ephemeral ?? madeAt
  return sentAt < now - RESUMABLE_MS || until < now - KEPT_MS ? null : until
}

export interface Missed {
  /** The instant up to which the client has received all, in milliseconds, before it gets `events`. */
  receivedUntil: number
  /** In order; some may be repeats. */
  events: EventRow[]
}

/** The result of a resume so far. */
interface Found {
  /** Events that were made since the client received all. */
  made: number
  /** Of these, and of events that were made before and that it may have received. */
  characters: number
}

/**
 * Whether a resume sends nothing. Only memory bounds events that were made before: a fan-out that lags, or a hub of somebody
 * else that is not reached, may leave any number of them unsettled.
 */
export const isTooMuch = ({ made, characters }: Found): boolean => made > MAX_MISSED || characters > MAX_HELD_CHARACTERS

/** All missed events; null where they are unknown or too many. Never a part of them. */
export async function missedEvents(
  ctx: AuthContext,
  channels: readonly string[],
  lastEventId: string,
): Promise<Missed | null> {
  const until = receivedUntil(await lookUp(ctx, lastEventId), ctx.now())
  if (until === null) return null
  const events: EventRow[] = []
  const found: Found = { made: 0, characters: 0 }
  let after: [number, string] = [until - FAN_OUT_MS, '']
  for (let scanned = 0; scanned < MAX_SCANNED_ROWS; scanned += PAGE_ROWS) {
    const rows = await readPage(ctx, channels, until, after)
    for (const row of rows) {
      if (row.id === lastEventId || !matches({ channels, types: [], filters: {} }, row)) continue
      if (!credentialMayReceive(ctx.principal, row)) continue
      events.push(row)
      if (row.created_at >= until) found.made += 1
      found.characters += ROW_CHARACTERS + row.data.length
    }
    if (isTooMuch(found)) return null
    const last = rows.at(-1)
    if (rows.length < PAGE_ROWS || !last) return { receivedUntil: until, events }
    after = [last.fanned_out_at ?? 0, last.id]
  }
  return null
}

const readPage = (
  ctx: AuthContext,
  channels: readonly string[],
  until: number,
  [at, id]: [number, string],
): Promise<EventRow[]> =>
  ctx.db.all<EventRow>(
    `select e.* from events e
     where e.tenant_id = :tenant and e.fanned_out_at >= :after and (e.fanned_out_at, e.id) > (:after, :after_id)
       and e.expires_at > :now and (e.settled_at is null or e.settled_at >= :settled_since) and e.type not in ('typing.start', 'typing.stop')
       and e.channel in (select value from json_each(:channels)) and ${mayReceive('e', ':caller')}
     order by e.fanned_out_at, e.id limit ${PAGE_ROWS}`,
    {
      tenant: ctx.principal.tenantId,
      after: at,
      after_id: id,
      now: ctx.now(),
      channels: JSON.stringify(channels),
      caller: ctx.principal.userId,
      settled_since: until - CLOCK_SKEW_MS,
    },
  )

async function lookUp(ctx: AuthContext, id: string): Promise<LastEvent> {
  const { tenantId, userId, routingId } = ctx.principal
  const ephemeral = await readEphemeralId(ctx, id, [routingId, tenantId])
  const stored =
    ephemeral !== null
      ? null
      : await ctx.db.first<Pick<EventRow, 'fanned_out_at' | 'settled_at'>>(
          `select fanned_out_at, settled_at from events where id = :id and tenant_id = :tenant
           and (targets is null or exists (select 1 from json_each(targets) t where t.value = :caller))`,
          { id, tenant: tenantId, caller: userId },
        )
  return { id, stored, ephemeral }
}
