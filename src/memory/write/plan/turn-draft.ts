import { AppError } from '../../../core/errors.ts'
import { besideHidden, isKey, type Turn } from '../../conversations/turn.ts'
import type { StoreInput } from '../../item.ts'
import type { PlannedTurn } from './change.ts'
import type { Draft, Drafts } from './drafts.ts'
import type { PlannedRow } from './planned-row.ts'
import type { SnapshotItem } from '../snapshot.ts'

type TurnPlace = Pick<PlannedRow, 'project_id' | 'namespace' | 'conversation_id'>

/** A part of a message, as a conversation knows it again. */
export const turnPlaceKey = (row: TurnPlace, { key, part }: Pick<PlannedTurn, 'key' | 'part'>): string =>
  JSON.stringify([row.project_id, row.namespace, row.conversation_id, key, part])

export const messageTaken = (): AppError =>
  new AppError('custom_id_taken', { detail: 'Another item of this conversation already has this message id.' })

/** The item that is this very part of the message, or the turn as it is to be stored. */
export type FoundTurn = { holder: Draft; turn: null } | { holder: null; turn: PlannedTurn }

/**
 * Looks among the items that the caller may read. 409 where another one holds the id of the message, or the caller may not
 * change the one that says something else.
 */
export function findTurn(
  drafts: Drafts,
  place: TurnPlace,
  { turn, key, newId }: { turn: Turn; key: string; newId: () => string },
): FoundTurn {
  const held = [...drafts.all()].filter(
    ({ row, turn: own }) =>
      own !== null &&
      own.part === turn.part &&
      isKey(key, own.key) &&
      row.project_id === place.project_id &&
      row.namespace === place.namespace &&
      row.conversation_id === place.conversation_id,
  )
  const holder = held.find(({ readable }) => readable)
  if (holder) return { holder, turn: null }
  if (held.length > 0 && turn.messageId !== null) throw messageTaken()
  const own = held.length > 0 ? besideHidden(key, newId()) : key
  return { holder: null, turn: { key: own, part: turn.part, newAt: turn.newAt ?? null } }
}

/** The turn that is stored says what the message says. */
export const isUnchanged = ({ row }: Pick<SnapshotItem, 'row'>, { content }: StoreInput, turn: Turn): boolean =>
  row.text === content.text && row.role === turn.role && row.speaker === turn.speaker
