import { isMap, parseDocument } from 'yaml'
import { instantOf } from './instant.ts'
import type { ImportLine } from './line.ts'
import { yamlTags } from './tags.ts'

const BLOCK = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
/** The front matter of Hugo in TOML. */
const TOML = /^\+\+\+[ \t]*\r?\n[\s\S]*?\r?\n\+\+\+[ \t]*(?:\r?\n|$)/

interface FrontMatter {
  text: string
  fields: Pick<ImportLine, 'tags' | 'occurred_at'>
  metadata: Record<string, unknown>
  /** Why the front matter is still a part of the text. */
  note?: string
}

/**
 * What the YAML at the head of a Markdown file says. A value that is neither a tag nor a date stays in the metadata. Front
 * matter that cannot be read stays in the text, with a note.
 */
export function frontMatterOf(text: string): FrontMatter {
  // An earlier import may have set them.
  const none = { text, fields: { tags: [], occurred_at: null }, metadata: {} }
  if (TOML.test(text)) return { ...none, note: 'its front matter is TOML, which is not read: it stays in the text' }
  const block = BLOCK.exec(text)
  if (!block) return none
  // The empty line stands for that of the dashes, so that a message has the line of the file.
  const document = parseDocument(`\n${block[1]}`, { intAsBigInt: true })
  const [error] = document.errors
  // Two lines with a text between them, as some draw them above a chapter, are no front matter.
  if (!isMap(document.contents) && (!error || !/^\S+:/m.test(block[1] ?? ''))) return none
  const fields = error ? error.message : valuesOf(document)
  if (typeof fields === 'string') {
    const why = fields.split('\n', 1)[0]?.replace(/:$/, '')
    return { ...none, note: `its front matter cannot be read, and stays in the text: ${why}` }
  }
  const { tags: rawTags, tag: rawTag, date, created, ...others } = fields
  const { tags, incomplete } = yamlTags([document.get('tags', true), document.get('tag', true)])
  const [onDate, onCreated] = [instantOf(date), instantOf(created)]
  return {
    text: text.slice(block[0].length),
    fields: { tags, occurred_at: onDate ?? onCreated ?? null },
    metadata: {
      ...others,
      ...(incomplete ? defined({ tags: rawTags, tag: rawTag }) : {}),
      ...defined({ date: onDate === undefined ? date : undefined }),
      ...defined({ created: onDate !== undefined || onCreated === undefined ? created : undefined }),
    },
  }
}

/** The values, integers of any size among them, or why there are none. */
function valuesOf(document: ReturnType<typeof parseDocument>): Record<string, unknown> | string {
  try {
    // Aliases off: a short text cannot become a huge value.
    return document.toJS({ maxAliasCount: 0 }) as Record<string, unknown>
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
