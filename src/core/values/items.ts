import { DAY_SECONDS } from './durations.ts'

/** Bounds of items (contract §3) that settings of a project have too. */

export const ITEM_SCOPES = ['global', 'project', 'conversation', 'document', 'session'] as const

/** A turn is a message of a conversation; a note is any other item. */
export const ITEM_KINDS = ['note', 'turn'] as const
/** Who says a turn. */
export const TURN_ROLES = ['user', 'assistant', 'system', 'tool'] as const
export type TurnRole = (typeof TURN_ROLES)[number]

export const MAX_TTL_SECONDS = 10 * 365 * DAY_SECONDS
export const MAX_TAG_CHARACTERS = 64
