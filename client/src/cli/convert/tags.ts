import { isScalar, isSeq, parseDocument } from 'yaml'

/** Of an item (contract §3). */
const ITEM_TAGS = 32
const MAX_TAG = 64

export interface Tags {
  tags: string[]
  /** Whether something is missing in `tags`: it is no tag, or there are too many, or it is too long. */
  incomplete: boolean
}

/** The tags in values of JSON: texts, which are taken as they are, numbers, and lists of them. */
export function tagsOf(values: readonly unknown[]): Tags {
  const words = values.flat().filter((value) => value !== null && value !== undefined && value !== '')
  const known = words.filter((word) => ['string', 'number', 'boolean'].includes(typeof word)).map(String)
  return bounded(known, known.length < words.length)
}

/**
 * The tags in nodes of YAML: a list, or a text with commas or spaces between the tags. A number is the text that stands there,
 * so that 1.10 does not become 1.1.
 */
export function yamlTags(nodes: readonly unknown[]): Tags {
  const words = nodes.flatMap(wordsOf)
  const known = words.filter((word) => word !== null)
  return bounded(
    known.map((word) => word.trim().replace(/^#/, '')),
    known.length < words.length,
  )
}

/** null stands for what is no tag. */
function wordsOf(node: unknown): (string | null)[] {
  if (isSeq(node)) return node.items.flatMap((item) => (isScalar(item) ? scalarText(item) : [null]))
  if (!isScalar(node)) return node === undefined ? [] : [null]
  const [text] = scalarText(node)
  if (text === undefined) return []
  // A list in quotation marks.
  const list = text.trim().startsWith('[') ? parseDocument(text) : null
  if (list?.errors.length === 0 && isSeq(list.contents)) return wordsOf(list.contents)
  return text.split(text.includes(',') ? ',' : /\s+/)
}

function scalarText({ value, source }: { value: unknown; source?: string }): string[] {
  if (typeof value === 'string') return [value]
  return value === null || value === undefined ? [] : [source ?? JSON.stringify(value)]
}

function bounded(words: readonly string[], somethingIsMissing: boolean): Tags {
  const whole = [...new Set(words.map((word) => word.trim()).filter((word) => word !== ''))]
  const cut = whole.map((word) => Array.from(word).slice(0, MAX_TAG).join('').trim())
  const tags = [...new Set(cut)].slice(0, ITEM_TAGS)
  return { tags, incomplete: somethingIsMissing || whole.some((word, at) => word !== tags[at]) }
}
