import type { AuthContext } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { portionsBySize } from '../../core/values/portions.ts'
import { MAX_TEXT_CHARACTERS } from '../item.ts'
import type { Operation } from '../write/operation.ts'

/** Texts of one commit have at most this many characters together, as many as one item may: a commit holds the database. */
export const MAX_COMMIT_CHARACTERS = MAX_TEXT_CHARACTERS

/** To read and write this many stored bytes again costs about as much as to index one character. */
export const STORED_PER_INDEXED = 20
/** One commit reads and writes this many stored texts of a kind whatever their length, without a round trip for their sizes. */
const MOST_UNREAD = 20
/** A grant and a tag are a row and its indexes each, and cost as much as this many characters. */
const CHARACTERS_PER_GRANT = 12
const CHARACTERS_PER_TAG = 16
/** UTF-8 has at most four bytes a character, so more bytes are more characters than one commit may have. */
const MAX_COMMIT_BYTES = 4 * MAX_COMMIT_CHARACTERS

/** The stored texts by item. `characters` are their bytes where all texts to index are more than a commit may have. */
type Stored = ReadonlyMap<string, { bytes: number; characters: number }>

type Named = Extract<Operation, { op: 'update' | 'retrieve' }>

const isNamed = (operation: Operation): operation is Named => operation.op === 'update' || operation.op === 'retrieve'

const changesDateAlone = (operation: Named): boolean =>
  operation.op === 'update' && operation.input.occurred_at !== undefined && operation.input.content?.text === undefined

/**
 * Characters of an operation. A text of its own is indexed, and a changed date indexes the stored text again. A retrieve
 * reads the stored text, and any other change writes it again too.
 */
function charactersOf(operation: Operation, stored: Stored): number {
  const own = 'input' in operation ? (operation.input.content?.text ?? '').length : 0
  if (!isNamed(operation)) return own
  const { bytes, characters } = stored.get(operation.id) ?? { bytes: 0, characters: 0 }
  return own + (changesDateAlone(operation) ? characters : Math.floor(bytes / STORED_PER_INDEXED))
}

/** Characters, and what else the operation writes as characters that cost as much. */
function costOf(operation: Operation, stored: Stored): number {
  const characters = charactersOf(operation, stored)
  if (!('input' in operation)) return characters
  const { content, permissions = [], tags = [] } = operation.input
  const metadata = JSON.stringify(content?.metadata ?? {}).length
  return (
    characters +
    Math.floor(metadata / STORED_PER_INDEXED) +
    permissions.length * CHARACTERS_PER_GRANT +
    tags.length * CHARACTERS_PER_TAG
  )
}

/** Reads the sizes of the texts that operations change or retrieve. A list with few operations needs and reads none. */
export async function storedSizes(ctx: AuthContext, operations: readonly Operation[]): Promise<Stored> {
  const named = operations.filter(isNamed)
  const dated = named.filter(changesDateAlone)
  const most = Math.max(...(['update', 'retrieve'] as const).map((op) => named.filter((one) => one.op === op).length))
  if (most <= MOST_UNREAD && dated.length === 0) return new Map()
  // `octet_length` reads no text. `length` reads it whole, so it is asked of few.
  const rows = await ctx.db.all<{ id: string; bytes: number; characters: number }>(
    `select i.id, octet_length(i.text) as bytes,
       iif(d.bytes <= ${MAX_COMMIT_BYTES} and i.id in (select value from json_each(?1)), length(i.text), octet_length(i.text)) as characters
     from (
       select coalesce(sum(octet_length(text)), 0) as bytes from memory_items
       where id in (select value from json_each(?1)) and tenant_id = ?3) d
     cross join memory_items i where i.id in (select value from json_each(?2)) and i.tenant_id = ?3`,
    JSON.stringify(dated.map(({ id }) => id)),
    JSON.stringify(named.map(({ id }) => id)),
    ctx.principal.tenantId,
  )
  return new Map(rows.map(({ id, ...size }) => [id, size]))
}

/** The operations in order, cut where one commit would cost more than the largest text. */
export const textSlices = <T extends { operation: Operation }>(list: readonly T[], stored: Stored = new Map()): T[][] =>
  portionsBySize(list, MAX_COMMIT_CHARACTERS, ({ operation }) => costOf(operation, stored))

/** Throws 422 where operations that are one commit have texts of more characters than that. */
export function requireOneCommit(operations: readonly Operation[], stored: Stored): void {
  const characters = operations.reduce((sum, operation) => sum + charactersOf(operation, stored), 0)
  if (characters <= MAX_COMMIT_CHARACTERS) return
  throw invalid(
    'operations',
    'texts_too_long',
    `The texts of an atomic batch count as ${characters} characters together; at most ${MAX_COMMIT_CHARACTERS} are allowed, since they are one commit.`,
  )
}
