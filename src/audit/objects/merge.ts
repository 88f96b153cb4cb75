import type { System } from '../../core/context.ts'
import { beforePage, comparePositions, type Position } from '../position.ts'
import type { AuditRow } from '../record.ts'
import { isVisible, timeOf, type AuditFilter, type AuditVisibility } from '../visible.ts'
import type { PageOfObject } from './format.ts'
import type { ListedObject } from './index-rows.ts'
import { readObject } from './transfer.ts'
import { DAY_MS } from '../../core/values/durations.ts'

/** One answer of a list opens at most this many objects, besides those in which its cursor lies. */
export const MAX_OPENED = 4

export interface FoundRow {
  at: Position
  row: AuditRow
}

/** The rows and objects behind a position, as the database had them at one instant. */
export interface Round {
  position: Position
  /** Rows of its pages, in order. */
  rows: readonly FoundRow[]
  objects: readonly ListedObject[]
  /** The next round begins here, since this one knows nothing behind it. null: there is no more. */
  next: Position | null
}

/** Reads objects for one answer, each once. */
export class ObjectReader {
  /** Pages of objects that ended earlier are past their retention and not shown. */
  readonly keptSince: number
  readonly #system: Pick<System, 'auditObjects' | 'log'>
  readonly #visibility: AuditVisibility
  readonly #filter: AuditFilter
  readonly #start: Position
  /** One row more than an answer shows tells whether there are more. */
  readonly #most: number
  readonly #opened = new Map<string, readonly FoundRow[]>()

  constructor(
    system: Pick<System, 'auditObjects' | 'config' | 'log' | 'now'>,
    visibility: AuditVisibility,
    filter: AuditFilter,
    from: { position: Position; limit: number },
  ) {
    this.keptSince = system.now() - system.config.auditRetentionDays * DAY_MS
    this.#system = system
    this.#visibility = visibility
    this.#filter = filter
    this.#start = from.position
    this.#most = from.limit + 1
  }

  /** The rows of an object from the position of the answer on, as many as it may show; null: the answer opened enough. */
  async rowsOf({ key }: ListedObject, from: Position): Promise<readonly FoundRow[] | null> {
    const known = this.#opened.get(key)
    if (known) return known
    // An answer always gets past the objects that it begins in.
    if (this.#opened.size >= MAX_OPENED && comparePositions(this.#start, from) < 0) return null
    const rows = await readObject(this.#system, this.#visibility.tenantId, key, (pages) => this.#found(pages))
    this.#opened.set(key, rows)
    return rows
  }

  #found(pages: Iterable<PageOfObject>): readonly FoundRow[] {
    const { since, until } = timeOf(this.#filter)
    const isShown = isVisible(this.#visibility, this.#filter)
    const found: FoundRow[] = []
    for (const page of pages) {
      if (page.last_at < Math.max(since, this.keptSince) || page.first_at >= until) continue
      for (const [key, row] of [...page.rows.entries()].reverse()) {
        const at: Position = [page.last_at, page.id, key]
        if (comparePositions(this.#start, at) >= 0 || !isShown(row)) continue
        if (found.push({ at, row }) === this.#most) return found
      }
    }
    return found
  }
}

interface Merged {
  rows: AuditRow[]
  /** Where the list continues; null: it has ended. */
  next: Position | null
  /** The answer is complete, or must end here. */
  isLast: boolean
}

/**
 * The first `limit` rows of a round, of database and objects in one order. An object is opened when the list reaches its
 * newest page. Where one cannot be read, the rows before it are the answer; without any the failure is thrown.
 */
export async function merge(round: Round, objects: ObjectReader, limit: number, hasRows: boolean): Promise<Merged> {
  const lists: Remaining[] = [{ rows: round.rows, next: 0 }]
  const closed = round.objects
    .map((object) => ({ object, at: laterOf(round.position, beforePage(object.newest_at, object.newest_id)) }))
    .toSorted((a, b) => comparePositions(a.at, b.at))
  const rows: FoundRow[] = []
  const end = (next: Position | null, isLast: boolean): Merged => ({ rows: rows.map(({ row }) => row), next, isLast })
  for (;;) {
    const list = foremost(lists)
    const head = list?.rows[list.next]
    const [object] = closed
    const opens = object !== undefined && (head === undefined || comparePositions(object.at, head.at) <= 0)
    const at = opens ? object.at : head?.at
    if (at === undefined || (round.next !== null && comparePositions(round.next, at) <= 0))
      return end(round.next, false)
    if (opens) {
      const found = await objects.rowsOf(object.object, object.at).catch((error: unknown) => {
        if (rows.length > 0 || hasRows) return null
        throw error
      })
      if (found === null) return end(object.at, true)
      lists.push({ rows: found.filter((one) => comparePositions(round.position, one.at) < 0), next: 0 })
      closed.shift()
      continue
    }
    if (rows.length === limit || !list || !head) return end(rows.at(-1)?.at ?? round.position, true)
    rows.push(head)
    list.next += 1
  }
}

/** Rows of which those before `next` are taken. */
interface Remaining {
  rows: readonly FoundRow[]
  next: number
}

/** The list whose next row comes first; undefined: all have ended. */
function foremost(lists: readonly Remaining[]): Remaining | undefined {
  let first: { list: Remaining; at: Position } | undefined
  for (const list of lists) {
    const at = list.rows[list.next]?.at
    if (at && (!first || comparePositions(at, first.at) < 0)) first = { list, at }
  }
  return first?.list
}

const laterOf = (a: Position, b: Position): Position => (comparePositions(a, b) < 0 ? b : a)
