import type { AuthContext, Principal } from '../../core/context.ts'
import type { Statement } from '../../core/database/database.ts'
import type { Role } from '../../identity/table.ts'
import { ACCESS_JOINS, accessParams, held, membershipSql, present, readableBy, type Target } from '../access.ts'
import type { ItemRecord } from '../item.ts'
import { runParts } from '../write/batch-parts.ts'
import { requireWriteIn } from '../write/plan/place.ts'
import { messageTaken } from '../write/plan/turn-draft.ts'
import { keyEnd } from './turn.ts'

/** Where a conversation is. */
export interface ConversationPlace {
  target: Target
  namespace: string
  conversationId: string
}

/** A part of a message that may be stored; without `part` all its parts. */
export interface WantedKey {
  key: string
  part: number | null
}

interface KnownRow {
  /** Its place among the wanted keys. */
  n: number
  id: string
  part: number
  occurrence: number
  is_readable: 0 | 1
  /** Somebody else's, and not expired. */
  is_hidden: 0 | 1
}

/** A stored turn, as `history` compares it. */
export type StoredTurn = Pick<ItemRecord, 'id' | 'role' | 'speaker' | 'text_hash' | 'occurrence'> & {
  message_key: string
  part: number
  is_retired: 0 | 1
}

/** What an ingest has to know of its conversation. */
export interface ConversationState {
  /** 0 for a conversation without a turn. */
  version: number
  lastAt: number | null
  /** By place among the wanted keys: the items that have it, also those that the caller may not read. */
  known: ReadonlyMap<number, readonly KnownRow[]>
  /** The last turns that the caller may read, oldest first. */
  history: readonly StoredTurn[]
}

/** Turns with which `history` compares, and items that a look for them reads at most. */
export const MAX_HISTORY_TURNS = 200
const MAX_LOOKED_BACK = 1_000

const isOfConversation = (row: string): string =>
  `${row}.project_id = :project and ${row}.namespace = :namespace and ${row}.conversation_id = :conversation`
const CONVERSATION = `with m as materialized (${membershipSql()})
  select m.role, c.version, c.last_at from m left join memory_conversations c
    on ${isOfConversation('c')}`

const knownBy = (principal: Principal): string => `
  select e.key as n, i.id, t.part, i.occurrence, (${present()} and ${readableBy(principal)}) as is_readable,
    (${present()} and not ${readableBy(principal)}) as is_hidden
  from json_each(:keys) e cross join memory_turns t on ${isOfConversation('t')}
    and t.message_key >= e.value ->> 0 and t.message_key < e.value ->> 1 and t.part = coalesce(e.value ->> 2, t.part)
  cross join memory_items i on i.row = t.item_row ${ACCESS_JOINS} where ${held()} order by t.part`

/** The newest current or retired turns: each of the two has an index. */
const newest = (principal: Principal, index: string, status: string): string => `
  select * from (select i.row, i.id, i.role, i.speaker, i.text_hash, i.occurrence, i.retired_at is not null as is_retired,
      (i.role is not null and ${present()} and ${readableBy(principal)}) as is_readable
    from memory_items i indexed by ${index} ${ACCESS_JOINS}
    where ${isOfConversation('i')} and i.${status}
    order by i.occurrence desc, i.id desc limit ${MAX_LOOKED_BACK})
  where is_readable limit ${MAX_HISTORY_TURNS}`
const historyBy = (principal: Principal): string => `
  select s.id, s.role, s.speaker, s.text_hash, s.occurrence, s.is_retired, t.message_key, t.part from (
    select * from (${newest(principal, 'memory_items_by_turn', 'deleted_at is null')})
    union all select * from (${newest(principal, 'memory_items_retired_turns', 'retired_at is not null')})) s
  cross join memory_turns t on t.item_row = s.row order by s.occurrence desc, s.id desc limit ${MAX_HISTORY_TURNS}`

/** Reads a conversation in one round trip. 404 for a hidden place, 403 for one that the caller may only read. */
export async function readState(
  ctx: AuthContext,
  { target, namespace, conversationId }: ConversationPlace,
  { keys, withHistory }: { keys: readonly WantedKey[]; withHistory: boolean },
): Promise<ConversationState> {
  const { db, principal } = ctx
  const { projectId } = target
  const place = { project: projectId, namespace, conversation: conversationId }
  const { now, ...member } = accessParams(ctx)
  const access = { ...member, now, ...place }
  const json = JSON.stringify(keys.map(({ key, part }) => [key, keyEnd(key), part]))
  const known: KnownRow[] = []
  const history: StoredTurn[] = []
  const found: { role: Role; version: number | null; last_at: number | null }[] = []
  const only = (is: boolean, statement: () => Statement): Statement[] => (is ? [statement()] : [])
  await runParts(db, [
    [[db.statement(CONVERSATION, { ...member, ...place })], found],
    [
      only(keys.length > 0, () => db.statement(knownBy(principal), { ...forReading(access, principal), keys: json })),
      known,
    ],
    [only(withHistory, () => db.statement(historyBy(principal), forReading(access, principal))), history],
  ])
  const [conversation] = found
  if (!conversation) throw target.missing()
  requireWriteIn(principal, { projectId, namespace }, conversation.role)
  return {
    version: conversation.version ?? 0,
    lastAt: conversation.last_at,
    known: Map.groupBy(known, ({ n }) => n),
    history: history.toReversed(),
  }
}

/** A statement that asks no permissions of a key takes none. */
function forReading<T extends { key_permissions: string | null }>(
  { key_permissions, ...params }: T,
  { permissions }: Principal,
) {
  return permissions === null ? params : { ...params, key_permissions }
}

/** 409 where somebody else's turn has the id of a message. */
export function requireFreeIds(keys: readonly WantedKey[], { known }: ConversationState): void {
  for (const [n, rows] of known) {
    const isHidden = rows.some(({ is_hidden }) => is_hidden === 1)
    if (isHidden && keys[n]?.key.startsWith('i:')) throw messageTaken()
  }
}
