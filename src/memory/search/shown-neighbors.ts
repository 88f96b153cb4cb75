import { z } from '@hono/zod-openapi'
import { idOf, onlyTrue, timestamp } from '../../core/http/fields.ts'
import { iso } from '../../core/values/clock.ts'
import { MAX_NEIGHBOR_CHARACTERS, type AroundJson } from './neighbors-sql.ts'

/** Items that a result may show on each side. */
export const MAX_NEIGHBORS = 5

/** An item that stands beside a result in its conversation. */
export const NeighborSchema = z.object({
  id: idOf('mem'),
  offset: z
    .int()
    .meta({ description: 'Position: -1 is the item directly before the result, 1 the item directly after it.' }),
  text: z.string().meta({ description: `Its first ${MAX_NEIGHBOR_CHARACTERS} characters.` }),
  truncated: onlyTrue.optional().meta({ description: 'Only if the text is longer.' }),
  occurred_at: timestamp.nullable(),
  created_at: timestamp,
})
export type Neighbor = z.infer<typeof NeighborSchema>

/** The items around a result in order of occurrence, from the two sides as the statement gives them: nearest first. */
export function neighborsOf({ before, after }: { before: string | null; after: string | null }): Neighbor[] {
  const side = (json: string | null, sign: -1 | 1): Neighbor[] =>
    (JSON.parse(json ?? '[]') as AroundJson[]).map(([id, text, occurredAt, createdAt], at) => ({
      id,
      offset: sign * (at + 1),
      ...shown(text),
      occurred_at: occurredAt === null ? null : iso(occurredAt),
      created_at: iso(createdAt),
    }))
  return [...side(before, -1).toReversed(), ...side(after, 1)]
}

function shown(text: string): Pick<Neighbor, 'text' | 'truncated'> {
  // The statement counts code points, and gives one more than is shown.
  if (text.length <= MAX_NEIGHBOR_CHARACTERS) return { text }
  const characters = Array.from(text)
  if (characters.length <= MAX_NEIGHBOR_CHARACTERS) return { text }
  return { text: characters.slice(0, MAX_NEIGHBOR_CHARACTERS).join(''), truncated: true }
}
