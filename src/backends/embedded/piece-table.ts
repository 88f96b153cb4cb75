import { EMBEDDED_DIMENSION as DIMENSION } from './dimension.ts'
import { pieceFrequency } from './piece-frequency.ts'
import { PieceSums, ROW_BYTES } from './piece-sums.ts'

/** The offset that a nibble adds to the value that it stores. */
const OFFSET = 8

/** One vector for each word piece (README.md beside this file). */
export class PieceTable {
  /** Byte k of a row holds dimension 2k in its low nibble and 2k + 1 in its high one. */
  readonly rows: Uint8Array
  /** The vector of a piece is its stored values times its scale. A piece with scale 0 means nothing. */
  readonly scales: Float32Array
  #sums: PieceSums | undefined

  constructor(rows: ArrayBuffer, scales: ArrayBuffer) {
    this.rows = new Uint8Array(rows)
    this.scales = new Float32Array(scales)
  }

  frequencyOf(piece: number): number {
    return pieceFrequency(piece)
  }

  /** The stored values of a piece, of -8 to 7 each: its vector but for the scale. */
  stored(piece: number, into: Int8Array = new Int8Array(DIMENSION)): Int8Array {
    for (let at = 0, from = piece * ROW_BYTES; at < ROW_BYTES; at++) {
      const byte = this.rows[from + at] ?? 0
      into[2 * at] = (byte & 15) - OFFSET
      into[2 * at + 1] = (byte >> 4) - OFFSET
    }
    return into
  }

  /** The normalised sum of the vectors of the pieces; null where all of them have scale 0. `values`: where it goes. */
  vectorOf(pieces: Uint16Array, values: Float32Array = new Float32Array(DIMENSION)): Float32Array | null {
    this.#sums ??= new PieceSums(this.rows, this.scales)
    this.#sums.write(pieces, values)
    let squares = 0
    for (let at = 0; at < DIMENSION; at++) squares += (values[at] ?? 0) ** 2
    if (squares === 0) return null
    const length = Math.sqrt(squares)
    for (let at = 0; at < DIMENSION; at++) values[at] = (values[at] ?? 0) / length
    return values
  }
}

let loading: Promise<PieceTable> | undefined

/** The table of this isolate. It is read at its first use, so an isolate that embeds nothing does not load it. */
export function pieceTable(): Promise<PieceTable> {
  loading ??= load()
  return loading
}

async function load(): Promise<PieceTable> {
  const [{ default: rows }, { default: scales }] = await Promise.all([
    import('./table.int4.bin'),
    import('./scales.f32.bin'),
  ])
  return new PieceTable(rows, scales)
}
