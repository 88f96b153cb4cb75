import { LATEST } from '../occurrence.ts'
import type { TurnRole } from '../../core/values/items.ts'
import { align } from './align.ts'
import type { ConversationState, StoredTurn, WantedKey } from './state.ts'

/** A message with text whose role is asked for. */
export interface Incoming {
  /** Its place in the request. */
  index: number
  role: TurnRole
  speaker: string | null
  messageId: string | null
  timestamp: number | null
  /** Its text, cut where an item has no room for it, and the hash of each. */
  parts: readonly string[]
  hashes: readonly string[]
  /** What identifies it: one key for its id, or one for each part; none where it has neither id nor time. */
  keys: readonly WantedKey[]
}

export type Decision =
  | {
      kind: 'store'
      occurredAt: number
      /** No turn has its time, so its text does not tell it from others. */
      isUnique: boolean
      /** For each part: an item may have it. */
      isKnown: readonly boolean[]
      /** Items of parts that the message no longer has. */
      surplus: readonly Pick<Known, 'id' | 'part'>[]
    }
  | { kind: 'stored'; ids: readonly string[]; isRetired: boolean }
  | { kind: 'skipped' }

/** Decides about each message by what the conversation has. Pure; `now` in milliseconds. */
export function decide(
  incoming: readonly Incoming[],
  state: ConversationState,
  { mode, now }: { mode: 'append' | 'history'; now: number },
): Decision[] {
  const known = knownOf(incoming, state)
  const groups = mode === 'history' ? messagesOf(state.history) : []
  const places = align(
    mode === 'history' ? incoming.map(digestOf) : [],
    groups.map(({ digest }) => digest),
  )
  const isMatched = (n: number): boolean => (places[n] ?? null) !== null || (known[n]?.some(isAny) ?? false)
  const lastMatched = mode === 'history' ? incoming.findLastIndex((_, n) => isMatched(n)) : -1
  const base = Math.max(now, (state.lastAt ?? now) + 1)
  let latest = -Infinity
  return incoming.map((message, n): Decision => {
    const found = known[n] ?? []
    const group = groups[places[n] ?? -1]
    if (!found.some(isAny)) {
      if (group) return { kind: 'stored', ids: group.ids, isRetired: group.isRetired }
      if (n <= lastMatched) return { kind: 'skipped' }
    }
    // Further parts of a message stand beside those that it has.
    const stored = found.find(isAny)?.occurrence
    const wanted = stored ?? message.timestamp ?? Math.max(base + message.index, latest + 1)
    const occurredAt = Math.min(wanted, LATEST)
    latest = Math.max(latest, occurredAt)
    return {
      kind: 'store',
      occurredAt,
      isUnique: wanted > LATEST,
      isKnown: message.parts.map((_, part) => found.some((row) => row.part === part)),
      surplus: surplusOf(message, found),
    }
  })
}

type Known = NonNullable<ReturnType<ConversationState['known']['get']>>[number]
const isAny = ({ is_readable }: Known): boolean => is_readable === 1

/** The items that may be a message. Their order is that of their parts. */
function knownOf(incoming: readonly Incoming[], { known }: ConversationState): Known[][] {
  let from = 0
  return incoming.map(({ keys }) => {
    const own = keys.flatMap((_, n) => known.get(from + n) ?? [])
    from += keys.length
    return own
  })
}

const surplusOf = ({ messageId, parts }: Incoming, found: readonly Known[]): readonly Known[] =>
  messageId === null ? [] : found.filter((row) => isAny(row) && row.part >= parts.length)

interface StoredMessage {
  digest: string
  ids: string[]
  isRetired: boolean
}

const digest = (role: string | null, speaker: string | null, hashes: readonly string[]): string =>
  JSON.stringify([role, speaker, ...hashes])
const digestOf = ({ role, speaker, hashes }: Incoming): string => digest(role, speaker, hashes)

/** The messages that stored turns are: the parts of one follow each other. */
function messagesOf(turns: readonly StoredTurn[]): StoredMessage[] {
  const messages: StoredTurn[][] = []
  for (const turn of turns) {
    const open = messages.at(-1)
    const last = open?.at(-1)
    const continues =
      last !== undefined &&
      turn.part === last.part + 1 &&
      turn.occurrence === last.occurrence &&
      turn.role === last.role &&
      turn.speaker === last.speaker
    if (open && continues) open.push(turn)
    else messages.push([turn])
  }
  return messages.map((own) => ({
    digest: digest(
      own[0]?.role ?? null,
      own[0]?.speaker ?? null,
      own.map(({ text_hash }) => text_hash),
    ),
    ids: own.map(({ id }) => id),
    isRetired: own.every(({ is_retired }) => is_retired === 1),
  }))
}
