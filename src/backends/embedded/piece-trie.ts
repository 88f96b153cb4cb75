import lines from './vocab.txt'

/** The nodes from which the pieces go that begin a word, and those that continue one. */
const FIRST = 0
const FURTHER = 1
/** The number of a node has 16 bits. */
const MAX_NODES = 65_536
/** Places for edges. Half of them stay empty. */
const PLACE_BITS = 17
const PLACES = 1 << PLACE_BITS
/** Fibonacci hashing: 2^32 divided by the golden ratio. */
const MULTIPLIER = 0x9e3779b1
const NEWLINE = 0x0a
const UPPER_A = 0x41
const UPPER_Z = 0x5a
const TO_LOWER = 0x20

/**
 * The vocabulary as a trie of UTF-16 units. One walk finds the longest piece, where a map of the pieces is asked once for
 * each length. The edges are one hash table with linear probing.
 */
export class PieceTrie {
  /** An edge: its node, then its unit. */
  readonly #edges = new Uint32Array(PLACES)
  /** The node that the edge leads to; 0: the place is empty. */
  readonly #targets = new Uint16Array(PLACES)
  /** Id of the piece that ends at a node, plus 1; 0: none does. */
  readonly #ends = new Uint16Array(MAX_NODES)

  /**
   * A piece a line, each with a newline behind it. Its id is the number of the line from 0. `##` stands before a piece that
   * continues a word. Throws where the pieces have too many nodes.
   */
  constructor(vocabulary: string) {
    let nodes = FURTHER + 1
    for (let at = 0, id = 0; at < vocabulary.length;) {
      let node = vocabulary.startsWith('##', at) ? FURTHER : FIRST
      if (node === FURTHER) at += 2
      for (let unit = vocabulary.charCodeAt(at++); unit !== NEWLINE; unit = vocabulary.charCodeAt(at++)) {
        const place = this.#placeOf(node, unit)
        if (this.#targets[place] === 0) {
          if (nodes === MAX_NODES) throw new Error('the vocabulary has too many nodes')
          this.#edges[place] = edgeOf(node, unit)
          this.#targets[place] = nodes++
        }
        node = this.#targets[place] ?? 0
      }
      this.#ends[node] = ++id
    }
  }

  /**
   * Adds the id of the longest piece that a part of a text begins with, and answers where it ends; where the part begins,
   * if there is none. Upper case of plain letters counts as lower case. `continues`: the part is the rest of a word.
   */
  addLongest(units: Uint16Array, start: number, end: number, continues: boolean, pieces: number[]): number {
    let node = continues ? FURTHER : FIRST
    let longest = 0
    let to = start
    for (let at = start; at < end; at++) {
      const unit = units[at] ?? 0
      node = this.#targets[this.#placeOf(node, unit >= UPPER_A && unit <= UPPER_Z ? unit + TO_LOWER : unit)] ?? 0
      if (node === 0) break
      const id = this.#ends[node] ?? 0
      if (id === 0) continue
      longest = id
      to = at + 1
    }
    if (longest > 0) pieces.push(longest - 1)
    return to
  }

  /** The place of an edge, or the empty one where it would stand. */
  #placeOf(node: number, unit: number): number {
    const edge = edgeOf(node, unit)
    let place = Math.imul(edge, MULTIPLIER) >>> (32 - PLACE_BITS)
    while (this.#targets[place] !== 0 && this.#edges[place] !== edge) place = (place + 1) % PLACES
    return place
  }
}

const edgeOf = (node: number, unit: number): number => ((node << 16) | unit) >>> 0

let known: PieceTrie | undefined

/** The trie of this isolate. It is made at its first use, so an isolate that embeds nothing does not make it. */
export const pieceTrie = (): PieceTrie => (known ??= new PieceTrie(lines))
