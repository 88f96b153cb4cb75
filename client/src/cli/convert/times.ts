import { instantOf, notAfter } from './instant.ts'
import { LONGEST_TTL, present } from './line.ts'

const DAY_MS = 86_400_000
/** A date without a time. */
const DATE_ALONE = /^\s*\d{4}-\d\d-\d\d\s*$/

/**
 * The seconds until the end that a source has set; `over` once it has passed. A date alone lasts until the end of its day in
 * UTC. null: there is no end, or none that an item can have (contract §3); such a value is in `kept`, for the metadata.
 */
export function lifeOf(
  field: string,
  value: unknown,
  now: number,
): { over: boolean; ttl: number | null; kept: Record<string, unknown> } {
  const instant = instantOf(value)
  if (instant === undefined) return { over: false, ttl: null, kept: present({ [field]: value }) }
  const end = Date.parse(instant) + (DATE_ALONE.test(String(value)) ? DAY_MS : 0)
  const ttl = Math.ceil((end - now) / 1_000)
  // An item that stays is better than one that goes too early.
  if (ttl > LONGEST_TTL) return { over: false, ttl: null, kept: { [field]: value } }
  return { over: ttl <= 0, ttl: ttl <= 0 ? null : ttl, kept: {} }
}

/**
 * When a record was stored and changed. An import refuses a time in the future, and a change before the store: `kept` has
 * what is not taken, for the metadata.
 */
export function timesOf(
  fields: Record<string, unknown>,
  [createdField, updatedField]: readonly [string, string],
  now: number,
): { times: { created_at?: string; updated_at?: string }; kept: Record<string, unknown> } {
  const [created, updated] = [fields[createdField], fields[updatedField]]
  const created_at = notAfter(instantOf(created), now)
  const changed = notAfter(instantOf(updated), now)
  const updated_at = created_at !== undefined && changed !== undefined && changed >= created_at ? changed : undefined
  return {
    times: present({ created_at, updated_at }),
    kept: present({
      [createdField]: created_at === undefined ? created : undefined,
      [updatedField]: updated_at === undefined ? updated : undefined,
    }),
  }
}
