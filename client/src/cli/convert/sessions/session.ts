import type { LeftOutCounts } from '../chats/conversation.ts'

/** What somebody said, and when; null: nothing says when. Milliseconds since 1970. */
export interface Said {
  text: string
  at: number | null
}

/** A turn of a session: what a hook sends of it. */
export interface Turn {
  id: string
  /** The folder that the agent worked in; null: the session does not say. */
  folder: string | null
  prompts: Said[]
  answer: Said | null
}

/** What the file of a session tells. */
export interface Session {
  id: string
  turns: Turn[]
  /** The sessions that it is a fork of and whose turns it begins with, if they are not left out yet. */
  origins: readonly string[]
  leftOut: LeftOutCounts
}

/** Reads a session record by record. */
export interface SessionReader {
  add(record: Record<string, unknown>): void
  /** null: no record has told which session it is. */
  session(): Session | null
}

export const META = 'line of the agent itself'
export const COPIED = 'copy of a turn of another session'
export const SIDECHAIN = 'session of a subagent'
/** A hook gets the last answer of a turn. */
export const BETWEEN = 'text before the last answer'
