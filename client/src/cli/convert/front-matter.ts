import { parse } from 'yaml'
import { exactJson } from './integers.ts'
import { boundedTags, instantOf, present, type ImportLine } from './line.ts'
import { listOf, metadataOf } from './records.ts'

const BLOCK = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

/**
 * What the YAML at the head of a Markdown file says. One that cannot be read stays part of the text. A failure names
 * `from` for an integer that JSON does not keep exactly, unless those become texts.
 */
export function frontMatterOf(
  text: string,
  from: string,
  numbersAsText: boolean,
): {
  text: string
  fields: Pick<ImportLine, 'tags' | 'occurred_at'>
  metadata: Record<string, unknown>
} {
  const block = BLOCK.exec(text)
  const yaml = block && readYaml(block[1] ?? '')
  if (!block || !yaml) return { text, fields: {}, metadata: {} }
  const read = JSON.parse(exactJson(from, yaml, numbersAsText)) as Record<string, unknown>
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
    const fields = metadataOf(parse(text, { maxAliasCount: 0, intAsBigInt: true }))
    return Object.keys(fields).length > 0 ? fields : null
  } catch {
    return null
  }
}
