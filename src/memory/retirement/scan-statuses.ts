import type { AuthContext } from '../../core/context.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import { scanTogether, type Position, type Scan, type ScanInput } from '../filter/scan.ts'
import type { Slice } from '../filter/slice-sql.ts'

/**
 * Scans the current and the retired items of a scope, which no index holds together, and merges what the two scans find. null:
 * the caller may not see the project.
 */
export async function scanStatuses<Row extends { id: string }>(
  ctx: AuthContext,
  scopes: readonly ReadScope[],
  { maxFilled, ...input }: ScanInput & { maxFilled: number },
): Promise<Scan<Row> | null> {
  const share = Math.ceil(maxFilled / scopes.length)
  const found = await scanTogether<Slice & Row>(ctx, scopes, { ...input, maxFilled: share })
  const scans = found.filter((one) => one !== null)
  return scans.length === scopes.length ? merged(scans, input) : null
}

/** Rows past the place where one of the scans ended would hide what it has not read. */
export function merged<Row extends Pick<Slice, 'at'> & { id: string }>(
  scans: readonly Scan<Row>[],
  { ascending, wanted }: Pick<ScanInput, 'ascending' | 'wanted'>,
): Scan<Row> {
  const inOrder = ([a, idA]: Position, [b, idB]: Position): number =>
    (ascending ? 1 : -1) * (a === b ? (idA < idB ? -1 : Number(idA > idB)) : a - b)
  const [end = null] = scans
    .map(({ stoppedAt, filledAt }) => stoppedAt ?? filledAt)
    .filter((position) => position !== null)
    .toSorted(inOrder)
  // A later slice of one may have an item that changed its status since the other read it.
  const distinct = new Map(scans.flatMap((one) => one.rows).map((row) => [row.id, row]))
  const rows = [...distinct.values()]
    .filter(({ at, id }) => end === null || inOrder([at, id], end) <= 0)
    .toSorted((a, b) => inOrder([a.at, a.id], [b.at, b.id]))
  return { rows: rows.slice(0, wanted), stoppedAt: end, filledAt: null }
}
