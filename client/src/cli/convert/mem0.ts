import { exactJson } from './integers.ts'
import { LONGEST_TTL, boundedId, boundedTags, instantOf, present, type Converted, type ImportLine } from './line.ts'
import { fieldsOf, listOf, metadataOf, recordsOf, textOf } from './records.ts'

const DAY_MS = 86_400_000

/**
 * The memories of mem0: what `get_all`, `search` and the export of its platform and of its open-source version give. The
 * id becomes the `custom_id`, so that a second import changes nothing twice; categories become tags; a run becomes the
 * session. An `expiration_date` lasts until the end of its day in UTC.
 */
export function fromMem0(text: string, now: number): Converted[] {
  return recordsOf(text, ['results', 'memories', 'items', 'data']).map(({ from, record }) => {
    const fields = fieldsOf(record)
    const memory = textOf(fields?.['memory'], fields?.['content'], fields?.['text'], fields?.['data'])
    if (!fields || memory === undefined) return { from, skipped: 'it has no text in "memory"' }
    const ttl = ttlOf(fields['expiration_date'], now)
    if (ttl === 0) return { from, skipped: 'it has expired' }
    const { user_id, agent_id, app_id, actor_id, role, run_id, id, created_at, updated_at } = fields
    const created = notAfter(instantOf(created_at), now)
    const updated = notAfter(instantOf(updated_at), now)
    const line: ImportLine = {
      content: {
        text: memory,
        metadata: { ...metadataOf(fields['metadata']), ...present({ user_id, agent_id, app_id, actor_id, role }) },
      },
      ...present({
        custom_id: typeof id === 'string' && id !== '' ? boundedId(`mem0:${id}`) : undefined,
        ttl,
        created_at: created,
        updated_at: updatedAfter(created, updated),
      }),
      tags: boundedTags([...listOf(fields['categories']), ...listOf(fields['tags'])]),
      ...(typeof run_id === 'string' && run_id !== '' ? { context: { session_id: boundedId(run_id) } } : {}),
    }
    return { from, line: exactJson(from, line) }
  })
}

/**
 * Seconds until the end of the day; 0 once it is over, undefined without a date. One that an item cannot have (contract §3)
 * is none: an item that stays is better than one that goes too early.
 */
function ttlOf(value: unknown, now: number): number | undefined {
  const day = typeof value === 'string' ? instantOf(value.slice(0, 10)) : undefined
  const seconds = day === undefined ? undefined : Math.max(0, Math.ceil((Date.parse(day) + DAY_MS - now) / 1_000))
  return seconds === undefined || seconds > LONGEST_TTL ? undefined : seconds
}

/** An import refuses a change before the store. */
export const updatedAfter = (created: string | undefined, updated: string | undefined): string | undefined =>
  created !== undefined && updated !== undefined && updated >= created ? updated : undefined

/** An import refuses what was stored in the future. */
export const notAfter = (instant: string | undefined, now: number): string | undefined =>
  instant !== undefined && Date.parse(instant) <= now && Date.parse(instant) >= 0 ? instant : undefined
