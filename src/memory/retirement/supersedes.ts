import { z } from '@hono/zod-openapi'
import { anyId } from '../../core/http/fields.ts'

/** Items that one store supersedes (contract §3). */
const MAX_SUPERSEDED = 10

/** An id alone is short for `{"id": …}` (contract §3). */
export const Supersedes = z
  .array(
    z.union([
      anyId.transform((id): { id: string; if_version?: number } => ({ id })),
      z.strictObject({ id: anyId, if_version: z.int().min(1).optional() }),
    ]),
  )
  .min(1)
  .max(MAX_SUPERSEDED)
  .refine((named) => new Set(named.map(({ id }) => id)).size === named.length, {
    message: 'Name each item at most once.',
    params: { code: 'duplicate' },
  })
  .meta({ description: 'Items that this one replaces: they are retired in the same commit.' })
