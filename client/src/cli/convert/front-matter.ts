import { parse } from 'yaml'
import { boundedTags, instantOf, present, type ImportLine } from './line.ts'
import { listOf, metadataOf } from './records.ts'

const BLOCK = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

/** What the YAML at the head of a Markdown file says. One that cannot be read stays part of the text. */
export function frontMatterOf(text: string): {
  text: string
  fields: Pick<ImportLine, 'tags' | 'occurred_at'>
  metadata: Record<string, unknown>
} {
  const block = BLOCK.exec(text)
  const read = block && readYaml(block[1] ?? '')
  if (!block || !read) return { text, fields: {}, metadata: {} }
  const { tags, tag, date, created, ...others } = read
  const words = [tags, tag].flatMap((value) => (typeof value === 'string' ? value.split(/[,\s]+/) : listOf(value)))
  const found = boundedTags(words.map((word) => (typeof word === 'string' ? word.replace(/^#/, '') : word)))
  return {
    text: text.slice(block[0].length),
    fields: {
      ...(found.length > 0 ? { tags: found } : {}),
      ...present({ occurred_at: instantOf(date) ?? instantOf(created) }),
    },
    metadata: others,
  }
}

function readYaml(text: string): Record<string, unknown> | null {
  try {
    // Aliases off: a short text cannot become a huge value.
    const value: unknown = parse(text, { maxAliasCount: 0 })
    const fields = metadataOf(value)
    return Object.keys(fields).length > 0 ? (JSON.parse(JSON.stringify(fields)) as Record<string, unknown>) : null
  } catch {
    return null
  }
}
