import { z } from '@hono/zod-openapi'
import { name } from '../../core/http/fields.ts'
import { sha256 } from '../../core/values/hash.ts'
import { TURN_ROLES, type TurnRole } from '../../core/values/items.ts'

const MAX_MESSAGE_ID_CHARACTERS = 256
const MAX_SPEAKER_CHARACTERS = 128
/** A text of the longest body has no more parts. */
export const MAX_PART = 9_999

export const MessageId = name(MAX_MESSAGE_ID_CHARACTERS)
export const Speaker = name(MAX_SPEAKER_CHARACTERS)
export const TurnRoleField = z.enum(TURN_ROLES)

/** What makes an item of an import a turn of its conversation. An export gives the same (contract §3). */
export const TurnField = z
  .strictObject({
    role: TurnRoleField,
    speaker: Speaker.nullish(),
    message_id: MessageId.nullish(),
    part: z.int().min(0).max(MAX_PART).optional(),
  })
  .transform(({ role, speaker = null, message_id = null, part = 0 }): Turn => ({
    role,
    speaker,
    messageId: message_id,
    part,
  }))

/** What a store says of its item where that is a turn. */
export interface Turn {
  role: TurnRole
  /** The name of the message. */
  speaker: string | null
  /** The id that the message came with. */
  messageId: string | null
  /** Which part of its message it is, from 0. */
  part: number
  /**
   * The version of the conversation on which the turn is known to be new, 0 for a conversation that has none: nobody looks
   * for it again, and the commit skips it at any other version. Absent: it may be stored.
   */
  newAt?: number
  /** Of a message that says something else now: its text, role and name change, and nothing else. */
  keepsRest?: boolean
  /** No other message is the same, even one of the same instant and text. */
  isUnique?: boolean
}

/** The id of the message that the key of a turn holds; null where it holds none. */
export const messageIdOf = (key: string): string | null => (key.startsWith('i:') ? key.slice(2) : null)

/**
 * A message is known by its id, else by its role, its name, its time and its text. One without a time has a key that
 * `newKey` makes, which no other message has.
 */
export async function turnKey(
  { role, speaker, messageId, isUnique = false }: Turn,
  { occurredAt, text, newKey }: { occurredAt: number | null; text: string; newKey: () => string },
): Promise<string> {
  if (messageId !== null) return `i:${messageId}`
  if (occurredAt === null || isUnique) return `n:${newKey()}`
  return `t:${await sha256(JSON.stringify([role, speaker, occurredAt, text]))}`
}

/** Keys from here to `keyEnd`, which is none of them: those of one digest, of which a hidden turn may hold the first. */
export const keyEnd = (key: string): string => (key.startsWith('t:') ? `${key};` : `${key}\u0001`)
export const isKey = (key: string, held: string): boolean => held >= key && held < keyEnd(key)
/** Of a turn whose digest a hidden one holds. */
export const besideHidden = (key: string, itemId: string): string => `${key}:${itemId}`
