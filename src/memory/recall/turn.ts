import type { TurnRole } from '../../core/values/items.ts'

/** A turn of a conversation, or a note, as recall reads and shows it. */
export interface Turn {
  id: string
  conversationId: string | null
  /** null: a note. */
  role: TurnRole | null
  /** The name that its message gave. */
  speaker: string | null
  text: string
  /** When it happened, else when it was stored; in milliseconds. */
  at: number
}

/** Oldest first. Order is (occurrence, id), as everywhere. */
export const inOrder = (a: Turn, b: Turn): number => a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
