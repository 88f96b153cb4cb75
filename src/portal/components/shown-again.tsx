import { createContext, useContext } from 'hono/jsx'

/** HTML of what was sent that a refused form shows again: it fits an error body with the page around it (contract §1). */
const MAX_SHOWN_AGAIN_BYTES = 8 * 1024

/** What the fields of one refused page may still show again. */
export class ShownAgain {
  readonly #wasSent: (name: string) => boolean
  #left = MAX_SHOWN_AGAIN_BYTES

  constructor(wasSent: (name: string) => boolean) {
    this.#wasSent = wasSent
  }

  /** The value of a field, cut where the request filled the field and the page has no room for the whole. */
  show(name: string, value: string): string {
    if (!this.#wasSent(name)) return value
    let length = 0
    for (const character of value) {
      const bytes = bytesOf(character)
      if (bytes > this.#left) break
      this.#left -= bytes
      length += character.length
    }
    return value.slice(0, length)
  }
}

/** Upper bound: the longest escape of a character takes six bytes, and no character more than four. */
const bytesOf = (character: string): number => (/["&'<>]/.test(character) ? 6 : character < '\u0080' ? 1 : 4)

/** Null on a page that is no refusal: it shows every value whole. */
export const ShownAgainContext = createContext<ShownAgain | null>(null)

export const useShown = (name: string, value: string): string =>
  useContext(ShownAgainContext)?.show(name, value) ?? value
