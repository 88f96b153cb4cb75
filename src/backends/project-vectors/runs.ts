import type { VectorEntry } from '../../core/vectors.ts'
import { setSlot, type Page, type Slot } from './page.ts'
import { distinctPieces } from './pieces/piece-lists.ts'
import { quantize, unitOf } from './quantize.ts'

/** Consecutive chunks of one item. They travel together, and are stored together where neighbouring slots are free. */
export interface Run extends Pick<Slot, 'item' | 'row' | 'version' | 'namespace' | 'reader' | 'turnWords'> {
  /** Number of the first chunk. */
  chunk: number
  /** Number of chunks. */
  length: number
  /**
   * Four of each chunk: the scale of its vector, its offsets, and the number of its pieces. Offsets are NaN where an older
   * version of the service stored it.
   */
  numbers: Float64Array<ArrayBuffer>
  dimension: number
  /** The vectors as bytes, one behind the other. */
  vectors: Int8Array<ArrayBuffer>
  /** The distinct pieces of the chunks, behind one another. Either each chunk has some, or none has. */
  pieces: Uint16Array<ArrayBuffer>
}

/** Numbers of a chunk. */
export const NUMBERS = 4

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
  entry.reader === last.reader &&
  entry.turnWords === last.turnWords &&
  entry.row === last.row &&
  entry.values.length === last.values.length &&
  hasPieces(entry) === hasPieces(last)

const hasPieces = ({ pieces }: VectorEntry): boolean => pieces !== null && pieces.length > 0

function runOf(first: VectorEntry, all: readonly VectorEntry[]): Run {
  const { item, row, version, chunk, namespace, reader = null, turnWords = null } = first
  const { length } = all
  const dimension = first.values.length
  const vectors = new Int8Array(length * dimension)
  const numbers = new Float64Array(length * NUMBERS)
  const { pieces, lengths } = distinctPieces(all.map((entry) => entry.pieces))
  all.forEach(({ values, offsets }, nth) => {
    const { scale } = quantize(values, vectors.subarray(nth * dimension, (nth + 1) * dimension))
    numbers.set([scale, offsets.start, offsets.end, lengths[nth] ?? 0], nth * NUMBERS)
  })
  const own = { item, row: row ?? null, version, chunk, namespace, reader, turnWords }
  return { ...own, length, numbers, dimension, vectors, pieces }
}

/** The chunks of runs as entries, whose values are as the bytes tell them. Their pieces are left out. */
export const entriesOf = (runs: readonly Run[]): VectorEntry[] =>
  runs.flatMap(({ item, row, version, chunk, namespace, reader, turnWords, length, numbers, dimension, vectors }) =>
    Array.from({ length }, (_, nth) => ({
      item,
      ...(row === null ? {} : { row }),
      version,
      chunk: chunk + nth,
      offsets: { start: numbers[nth * NUMBERS + 1] ?? NaN, end: numbers[nth * NUMBERS + 2] ?? NaN },
      namespace,
      reader,
      turnWords,
      values: unitOf(vectors.subarray(nth * dimension, (nth + 1) * dimension)),
      pieces: null,
    })),
  )

/** The chunks `from` to before `to` of a run. */
export function partOf(run: Run, from: number, to: number): Run {
  if (from === 0 && to === run.length) return run
  const { chunk, dimension } = run
  const lengths = pieceLengths(run)
  const start = sum(lengths.slice(0, from))
  return {
    ...run,
    chunk: chunk + from,
    length: to - from,
    numbers: run.numbers.slice(from * NUMBERS, to * NUMBERS),
    vectors: run.vectors.slice(from * dimension, to * dimension),
    pieces: run.pieces.slice(start, start + sum(lengths.slice(from, to))),
  }
}

const sum = (lengths: readonly number[]): number => lengths.reduce((all, length) => all + length, 0)

/** How many pieces each chunk has. */
export const pieceLengths = ({ numbers, length }: Pick<Run, 'numbers' | 'length'>): number[] =>
  Array.from({ length }, (_, nth) => numbers[nth * NUMBERS + 3] ?? 0)

/** Puts a run into empty slots of a page, from `first` on. */
export function putRun(page: Page, first: number, run: Run): void {
  fillSlots(page, first, run)
  page.pieces.set(first, run.pieces, pieceLengths(run))
  page.used += run.length
}

/** Fills slots of a page, from `first` on, with all of a run but its pieces. */
export function fillSlots(page: Page, first: number, run: Omit<Run, 'pieces' | 'dimension'>): void {
  const { item, row, version, chunk, namespace, reader, turnWords, length, numbers, vectors } = run
  for (let nth = 0; nth < length; nth++) {
    const [start, end] = [offset(numbers[nth * NUMBERS + 1]), offset(numbers[nth * NUMBERS + 2])]
    setSlot(page, first + nth, { item, row, version, chunk: chunk + nth, start, end, namespace, reader, turnWords })
    page.scales[first + nth] = numbers[nth * NUMBERS] ?? 0
  }
  page.vectors.set(vectors, first * page.dimension)
}

const offset = (number = NaN): number | null => (Number.isNaN(number) ? null : number)
