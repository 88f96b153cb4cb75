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

  get byteLength(): number {
    return this.#pieces.byteLength + this.#ends.byteLength
  }

  /** Lists that are not empty. */
  get used(): number {
    return this.#ends.reduce((sum, end, list) => sum + Number(end > this.#start(list)), 0)
  }

  /** All lists in their order. Valid until the next change. */
  get all(): Uint16Array {
    return this.#pieces
  }

  /** One list. Valid until the next change. */
  of(list: number): Uint16Array {
    return this.#pieces.subarray(this.#start(list), this.#ends[list])
  }

  lengthOf(list: number): number {
    return (this.#ends[list] ?? 0) - this.#start(list)
  }

  /** Copies one list into `target`, from `at` on. For many lists a loop takes half as long as a view of each. */
  copy(list: number, target: Uint16Array, at: number): void {
    const end = this.#ends[list] ?? 0
    for (let from = this.#start(list); from < end; from++) target[at++] = this.#pieces[from] ?? 0
  }

  set(list: number, pieces: Uint16Array): void {
    const start = this.#start(list)
    const end = this.#ends[list] ?? start
    const added = pieces.length - (end - start)
    if (pieces.length === 0 && added === 0) return
    const all = new Uint16Array(this.#pieces.length + added)
    all.set(this.#pieces.subarray(0, start))
    all.set(pieces, start)
    all.set(this.#pieces.subarray(end), start + pieces.length)
    this.#pieces = all
    for (let at = list; at < this.#ends.length; at++) this.#ends[at] = (this.#ends[at] ?? 0) + added
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

/** Kept between calls: an array for each part takes longer than to sort its pieces. */
let scratch = new Uint16Array(1_024)

/** The distinct pieces of a text in the order of their ids. */
export function distinctPieces(pieces: Uint16Array): Uint16Array {
  if (scratch.length < pieces.length) scratch = new Uint16Array(pieces.length)
  const sorted = scratch.subarray(0, pieces.length)
  sorted.set(pieces)
  sorted.sort()
  let count = 0
  for (const piece of sorted) if (count === 0 || piece !== sorted[count - 1]) sorted[count++] = piece
  return sorted.slice(0, count)
}
