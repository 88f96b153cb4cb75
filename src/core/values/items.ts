import { DAY_SECONDS } from './durations.ts'

/** Bounds of items (contract §3) that settings of a project have too. */

export const ITEM_SCOPES = ['global', 'project', 'conversation', 'document', 'session'] as const
export const MAX_TTL_SECONDS = 10 * 365 * DAY_SECONDS
export const MAX_TAG_CHARACTERS = 64
