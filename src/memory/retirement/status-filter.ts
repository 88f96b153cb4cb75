import { z } from '@hono/zod-openapi'
import { ITEM_STATUSES, type ItemStatus } from '../table.ts'

/** The parameter of a list, an export, a bulk deletion and the subjects (contract §3). */
export const StatusFilter = z
  .enum([...ITEM_STATUSES, 'any'])
  .default('current')
  .meta({ description: 'Which items: `current` ones, `retired` ones, or both.' })
export type StatusFilter = z.output<typeof StatusFilter>

export const statusesOf = (status: StatusFilter): readonly ItemStatus[] => (status === 'any' ? ITEM_STATUSES : [status])
