import type { VectorEntry } from '../../core/vectors.ts'
import { setSlot, type Page, type Slot } from './page.ts'
import { distinctPieces } from './piece-lists.ts'
import { quantize } from './quantize.ts'

/** Consecutive chunks of one item. They travel together, and are stored together where neighbouring slots are free. */
export interface Run extends Pick<Slot, 'item' | 'row' | 'version' | 'namespace'> {
  /** Number of the first chunk. */
  chunk: number
  chunks: readonly ChunkOfRun[]
  dimension: number
  /** The vectors as bytes, one behind the other. */
  vectors: Int8Array<ArrayBuffer>
  /** The distinct pieces of the chunks, behind one another. Either each chunk has some, or none has. */
  pieces: Uint16Array<ArrayBuffer>
}

/** What a run holds of a chunk beside its vector. Offsets are null where an older version of the service stored it. */
export type ChunkOfRun = readonly [scale: number, start: number | null, end: number | null, pieces: number]

/** Entries as runs. A new run begins where an entry does not continue the one before it. */
export function runsOf(entries: readonly VectorEntry[]): Run[] {
  const groups: { first: VectorEntry; all: VectorEntry[] }[] = []
  let last: VectorEntry | undefined
  for (const entry of entries) {
    if (last && continues(entry, last)) groups.at(-1)?.all.push(entry)
    else groups.push({ first: entry, all: [entry] })
    last = entry
  }
  return groups.map(({ first, all }) => runOf(first, all))
}

const continues = (entry: VectorEntry, last: VectorEntry): boolean =>
  entry.item === last.item &&
  entry.version === last.version &&
  entry.chunk === last.chunk + 1 &&
  entry.namespace === last.namespace &&
  entry.row === last.row &&
  entry.values.length === last.values.length &&
  hasPieces(entry) === hasPieces(last)

const hasPieces = ({ pieces }: VectorEntry): boolean => pieces !== null && pieces.length > 0

function runOf(first: VectorEntry, all: readonly VectorEntry[]): Run {
  const { item, row, version, chunk, namespace } = first
  const dimension = first.values.length
  const vectors = new Int8Array(all.length * dimension)
  const { pieces, lengths } = distinctPieces(all.map((entry) => entry.pieces))
  const chunks = all.map(({ values, offsets: { start, end } }, nth): ChunkOfRun => {
    const { scale } = quantize(values, vectors.subarray(nth * dimension, (nth + 1) * dimension))
    return [scale, start, end, lengths[nth] ?? 0]
  })
  return { item, row: row ?? null, version, chunk, namespace, chunks, dimension, vectors, pieces }
}

/** The chunks `from` to before `to` of a run, as a run with buffers of its own. */
export function partOf(run: Run, from: number, to: number): Run {
  const { chunk, chunks, dimension, vectors, pieces } = run
  const start = piecesOf(chunks.slice(0, from))
  const own = chunks.slice(from, to)
  return {
    ...run,
    chunk: chunk + from,
    chunks: own,
    vectors: vectors.slice(from * dimension, to * dimension),
    pieces: pieces.slice(start, start + piecesOf(own)),
  }
}

const piecesOf = (chunks: readonly ChunkOfRun[]): number => chunks.reduce((sum, [, , , pieces]) => sum + pieces, 0)

/** Puts a run into empty slots of a page, from `first` on. */
export function putRun(page: Page, first: number, run: Run): void {
  fillSlots(page, first, run)
  page.pieces.set(
    first,
    run.pieces,
    run.chunks.map(([, , , pieces]) => pieces),
  )
  page.used += run.chunks.length
}

/** Fills slots of a page, from `first` on, with all of a run but its pieces. */
export function fillSlots(page: Page, first: number, run: Omit<Run, 'pieces'>): void {
  const { item, row, version, chunk, namespace, chunks, vectors } = run
  chunks.forEach(([scale, start, end], nth) => {
    setSlot(page, first + nth, { item, row, version, chunk: chunk + nth, start, end, namespace })
    page.scales[first + nth] = scale
  })
  page.vectors.set(vectors, first * page.dimension)
}
