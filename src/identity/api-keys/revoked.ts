import { z } from '@hono/zod-openapi'
import { DAY_MS } from '../../core/values/durations.ts'

/** How long a revoked key can be listed (contract §2). After that `sweep.ts` erases it. */
export const REVOKED_KEPT_MS = 90 * DAY_MS

/** The revoked keys that a reader asks for besides the others (contract §2). */
export const includeRevoked = z.enum(['revoked']).optional()
export type IncludeRevoked = z.output<typeof includeRevoked>
