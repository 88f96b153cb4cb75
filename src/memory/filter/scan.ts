import type { AuthContext } from '../../core/context.ts'
import type { Params } from '../../core/database/sql.ts'
import { accessParams } from '../access.ts'
import { namespacesOf } from './namespace-prefix.ts'
import type { ReadScope } from './read-scope.ts'
import { alongOf, sliceSql, type Slice, type SliceInput } from './slice-sql.ts'

/** The instant that an order goes by, of creation or of occurrence, and the id of an item. */
export type Position = readonly [at: number, id: string]

/** Before the oldest item. */
export const FIRST: Position = [Number.MIN_SAFE_INTEGER, '']

export interface ScanInput extends SliceInput {
  /** The scan begins behind this item. */
  after: Position
  /** Rows to find. */
  wanted: number
  /** With filters or several ranges the scan stops after this many items, whatever it has found. Default: it goes on to the end. */
  maxItems?: number
  /** The same for the metadata that conditions have parsed. */
  maxBytes?: number
  /** One statement looks at this many items at most. */
  maxSlice?: number
}

export interface Scan<Row> {
  rows: Row[]
  /** Where `maxItems` or `maxBytes` ended the scan before the last item. */
  stoppedAt: Position | null
  /** The last of the rows, where the texts and metadata up to it fill an answer. */
  filledAt: Position | null
}

/** Slices grow below, and shrink above, so that none holds the database long (docs/architecture.md §4). */
const SHORT_MS = 8
const LONG_MS = 16
const MIN_SLICE = 100
const MAX_SLICE = 8_000
/** Texts and metadata of one answer (contract §3). The row that passes it is the last. 10 ms of the database read 1 MiB. */
export const MAX_ANSWER_BYTES = 2 * 1024 * 1024

/** The number of items that the next statement looks at, after one that took `tookMs` for `items`. */
export function nextSlice(items: number, tookMs: number): number {
  if (tookMs > LONG_MS) return Math.max(MIN_SLICE, Math.floor(items / 2))
  return tookMs < SHORT_MS ? Math.min(MAX_SLICE, items * 2) : items
}

/**
 * Reads the items of a scope in order of creation or of occurrence until enough are found. null: the caller may not see the project.
 * D1 runs one statement at a time. With filters, which may skip any number of items, a statement therefore looks at a
 * slice of them only, so that statements of other requests come between.
 */
export async function scan<Row extends { id: string }>(
  ctx: AuthContext,
  asked: ReadScope,
  input: ScanInput,
): Promise<Scan<Row> | null> {
  const scope = input.from === undefined ? await withinNamespaces(ctx, asked) : asked
  return readOn(ctx, slicesOf(ctx, scope, input), input)
}

/** Scans several scopes. Their first slices are of one instant, so an item that moves from one to another is in one of them. */
export async function scanTogether<Row extends { id: string }>(
  ctx: AuthContext,
  scopes: readonly ReadScope[],
  input: ScanInput,
): Promise<(Scan<Row> | null)[]> {
  const all = scopes.map((scope) => slicesOf(ctx, scope, input))
  const firsts = await ctx.db.batch<Found<Row>[]>(
    all.map(({ sql, valuesOf, sliceItems }) => ctx.db.statement(sql, valuesOf(startOf(input, sliceItems)))),
  )
  const scans: (Scan<Row> | null)[] = []
  for (const [index, slices] of all.entries()) scans.push(await readOn(ctx, slices, input, firsts[index]))
  return scans
}

type Found<Row> = Slice & (Row | { id: null })

/** Where a slice begins, and what it may still read. */
interface Start {
  after: Position
  items: number
  wanted: number
  maxFilled: number | undefined
}

const startOf = ({ after, wanted, maxFilled }: ScanInput, items: number): Start => ({ after, items, wanted, maxFilled })

/** The statement that reads a slice of a scope. */
function slicesOf(ctx: AuthContext, scope: ReadScope, input: ScanInput) {
  // Items of several ranges come in order only by a sort, and a slice bounds what is sorted.
  const ranges = input.from === undefined ? alongOf(scope, input).ranges : 1
  const sliceItems = scope.sliceItems ?? (ranges > 1 ? Math.min(MAX_SLICE, input.wanted * ranges) : null)
  const isSliced = sliceItems !== null
  const valuesOf = ({ after, items, wanted, maxFilled }: Start): Params => ({
    ...accessParams(ctx),
    ...scope.params,
    ...input.from?.params,
    after_at: after[0],
    after_id: after[1],
    wanted,
    ...(isSliced ? { items } : {}),
    ...(maxFilled === undefined ? {} : { max_filled: maxFilled }),
  })
  return { sql: sliceSql(scope, input, ranges, isSliced), sliceItems: sliceItems ?? 0, valuesOf }
}

/** Reads slice after slice. `firstSlice`: the rows of the first one, where they are read already. */
async function readOn<Row extends { id: string }>(
  ctx: AuthContext,
  { sql, sliceItems, valuesOf }: ReturnType<typeof slicesOf>,
  input: ScanInput,
  firstSlice?: Found<Row>[],
): Promise<Scan<Row> | null> {
  const { maxFilled } = input
  const rows: Row[] = []
  let start = startOf(input, sliceItems)
  let read = firstSlice
  for (let seen = 0, parsed = 0, filled = 0; ;) {
    const began = ctx.now()
    const found = read ?? (await ctx.db.all<Found<Row>>(sql, valuesOf(start)))
    read = undefined
    const [first] = found
    if (!first) return null
    const own = found.filter((row): row is Slice & Row => row.id !== null)
    rows.push(...own)
    const last = own.at(-1)
    filled += last?.filled ?? 0
    if (last && maxFilled !== undefined && filled >= maxFilled)
      return { rows, stoppedAt: null, filledAt: [last.at, last.id] }
    if (first.more === 0 || rows.length >= input.wanted) return { rows, stoppedAt: null, filledAt: null }
    const after: Position = [first.stop_at, first.stop_id]
    seen += first.items
    parsed += first.bytes
    if (seen >= (input.maxItems ?? Infinity) || parsed >= (input.maxBytes ?? Infinity))
      return { rows, stoppedAt: after, filledAt: null }
    start = {
      after,
      items: Math.min(
        nextSlice(first.items, ctx.now() - began),
        input.maxSlice ?? MAX_SLICE,
        (input.maxItems ?? Infinity) - seen,
      ),
      wanted: input.wanted - rows.length,
      maxFilled: maxFilled === undefined ? undefined : maxFilled - filled,
    }
  }
}

/** Few namespaces of a prefix are ranges of their index. Those of many are most of a project, whose order slices then follow. */
async function withinNamespaces(ctx: AuthContext, scope: ReadScope): Promise<ReadScope> {
  if (!scope.prefix) return scope
  const names = await namespacesOf(ctx, scope.projectId, scope.prefix.of)
  return names ? scope.prefix.within(names) : scope
}
