/** One of many lists. */
export interface PieceList {
  lists: PieceLists
  list: number
}

/** Lists of word pieces behind one another in one array, because an array for each would take more than its pieces. */
export class PieceLists {
  #pieces: Uint16Array = new Uint16Array(0)
  readonly #ends: Uint16Array

  /** Each list is empty at first. */
  constructor(lists: number) {
    this.#ends = new Uint16Array(lists)
  }

  get count(): number {
    return this.#ends.length
  }

  get byteLength(): number {
    return this.#pieces.byteLength + this.#ends.byteLength
  }

  /** All lists in their order. Valid until the next change. */
  get all(): Uint16Array {
    return this.#pieces
  }

  /** One list, or so many neighbours behind one another. Valid until the next change. */
  of(first: number, lists = 1): Uint16Array {
    return this.#pieces.subarray(this.#start(first), this.#start(first + lists))
  }

  lengthOf(list: number): number {
    return (this.#ends[list] ?? 0) - this.#start(list)
  }

  /** Copies one list into `target`, from `at` on. For many lists a loop takes half as long as a view of each. */
  copy(list: number, target: Uint16Array, at: number): void {
    const end = this.#ends[list] ?? 0
    for (let from = this.#start(list); from < end; from++) target[at++] = this.#pieces[from] ?? 0
  }

  /** Sets neighbouring lists from `first` on. `pieces` holds all of theirs, with these lengths. */
  set(first: number, pieces: Uint16Array, lengths: readonly number[]): void {
    const next = first + lengths.length
    const start = this.#start(first)
    const end = this.#start(next)
    const added = pieces.length - (end - start)
    if (pieces.length === 0 && added === 0) return
    const all = new Uint16Array(this.#pieces.length + added)
    all.set(this.#pieces.subarray(0, start))
    all.set(pieces, start)
    all.set(this.#pieces.subarray(end), start + pieces.length)
    this.#pieces = all
    let at = start
    lengths.forEach((length, nth) => (this.#ends[first + nth] = at += length))
    for (let list = next; list < this.#ends.length; list++) this.#ends[list] = (this.#ends[list] ?? 0) + added
  }

  /** Empties so many neighbouring lists from `first` on. */
  clear(first: number, lists: number): void {
    this.set(
      first,
      new Uint16Array(0),
      Array.from({ length: lists }, () => 0),
    )
  }

  /** Sets all lists at once: `pieces` holds those of these lists, whose numbers ascend, with these lengths. */
  setAll(pieces: Uint16Array, lists: readonly number[], lengths: readonly number[]): void {
    this.#pieces = pieces
    let end = 0
    let nth = 0
    for (let list = 0; list < this.#ends.length; list++) {
      if (lists[nth] === list) end += lengths[nth++] ?? 0
      this.#ends[list] = end
    }
  }

  #start(list: number): number {
    return list === 0 ? 0 : (this.#ends[list - 1] ?? 0)
  }
}

/** Marks the pieces that a text was found to have. All are 0 again before the next text. */
const met = new Uint8Array(65_536)

/** The distinct pieces of each text, behind one another, and how many each has. */
export function distinctPieces(texts: readonly (Uint16Array | null)[]): {
  pieces: Uint16Array<ArrayBuffer>
  lengths: number[]
} {
  const distinct = new Uint16Array(texts.reduce((sum, pieces) => sum + (pieces?.length ?? 0), 0))
  let end = 0
  const lengths = texts.map((pieces) => {
    const start = end
    for (const piece of pieces ?? []) {
      distinct[end] = piece
      end += 1 - (met[piece] ?? 0)
      met[piece] = 1
    }
    for (let at = start; at < end; at++) met[distinct[at] ?? 0] = 0
    return end - start
  })
  return { pieces: distinct.slice(0, end), lengths }
}
