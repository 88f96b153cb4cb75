import { exactJson } from './integers.ts'
import { boundedId, type Item } from './line.ts'
import { MAX_TEXT, split } from './split.ts'

/** Where a line of an import comes from: one of the parts of an item of the source. */
export interface Origin {
  /** The id of the item in its source, not bounded yet. */
  id: string
  parts: number
  /** null: the default one. */
  namespace: string | null
}

/** A line to send. */
export interface Line {
  from: string
  line: string
  /** null: nothing identifies the item, so a second import cannot find it. */
  origin: Origin | null
  note?: string | undefined
}

/** The custom id of a part. An item that needs no parts has its own. */
export const partId = (id: string, part: number): string => boundedId(`${id}#${part}`)

/**
 * The lines of an item: one, or one for each part of a text that is too long for an item. A failure names the item for an
 * integer that JSON does not keep exactly, unless those become texts.
 */
export function linesOf({ from, line, id, note }: Item, namespace: string | null, numbersAsText = false): Line[] {
  const { content, context, ...rest } = line
  const pieces = fits(content.text) ? [content.text] : split(content.text)
  const place = namespace === null ? {} : { namespace }
  const whole = { ...context, ...place }
  return pieces.map((text, at) => {
    const part = pieces.length === 1 ? {} : { part: at + 1, parts: pieces.length }
    const customId = id === undefined ? undefined : pieces.length === 1 ? boundedId(id) : partId(id, at + 1)
    const value = {
      content: { ...content, text, metadata: { ...content.metadata, ...part } },
      ...rest,
      ...(customId === undefined ? {} : { custom_id: customId }),
      ...(Object.keys(whole).length > 0 ? { context: whole } : {}),
    }
    const origin = id === undefined ? null : { id, parts: pieces.length, namespace }
    return { from, line: exactJson(from, value, numbersAsText), origin, ...(at === 0 ? { note } : {}) }
  })
}

const fits = (text: string): boolean => text.length <= MAX_TEXT || Array.from(text).length <= MAX_TEXT
