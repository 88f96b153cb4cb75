import { z } from '@hono/zod-openapi'
import { anyId } from '../../core/http/fields.ts'

/** Items that one store supersedes (contract §3). */
const MAX_SUPERSEDED = 10

const Superseded = z.strictObject({
  id: anyId,
  if_version: z.int().min(1).optional().meta({ description: 'The version that you read.' }),
})

const listOf = <Item extends z.ZodType<{ id: string }>>(item: Item) =>
  z
    .array(item)
    .min(1)
    .max(MAX_SUPERSEDED)
    .refine((named) => new Set(named.map(({ id }) => id)).size === named.length, {
      message: 'Name each item at most once.',
      params: { code: 'duplicate' },
    })

export const SupersededItems = listOf(Superseded)

/** An id alone is short for `{"id": …}` (contract §3). */
export const Supersedes = listOf(
  z.union([anyId.transform((id): z.output<typeof Superseded> => ({ id })), Superseded]),
).meta({ description: 'Items that this one replaces: they are retired in the same commit.' })
