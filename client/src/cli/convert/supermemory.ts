import { ended, idByContent, present, unread, type Converted } from './line.ts'
import { fieldsOf, metadataOf, recordsOf, textOf } from './records.ts'
import { aboutUser } from './subject.ts'
import { tagsOf } from './tags.ts'
import { lifeOf, timesOf } from './times.ts'

/** What `--namespace` can name. */
export const SUPERMEMORY_NAMES = ['user_id', 'container_tag'] as const

const LISTS = ['memories', 'memoryEntries', 'documents', 'results', 'data']

/**
 * The documents and the memory entries of Supermemory, as its lists give them. The `customId`, else the id, else a hash of
 * the text and its containers, becomes the `custom_id`; the user becomes the subject; container tags become tags;
 * `forgetAfter` becomes the `ttl`; title, address and type go into the metadata. A list of documents without their content
 * is no export: the summary of a text is not the text.
 */
export function fromSupermemory(text: string, now: number): Converted[] {
  return recordsOf(text, LISTS).map((one): Converted => {
    if ('reason' in one) return one
    const { from, record } = one
    const fields = fieldsOf(record)
    if (!fields) return unread(from, 'it is not an object')
    if (fields['isForgotten'] === true) return ended(from, 'it was forgotten')
    if (fields['isLatest'] === false) return ended(from, 'a later version replaces it')
    const life = lifeOf('forgetAfter', fields['forgetAfter'], now)
    if (life.over) return ended(from, 'its time to be forgotten has passed')
    const content = textOf(fields['content'], fields['memory'], fields['raw'])
    if (content === undefined) return unread(from, 'it has no content: export with "includeContent": true')
    const { title, url, source, type, containerTags, containerTag } = fields
    const own = metadataOf(fields['metadata'])
    const { times, kept } = timesOf(fields, ['createdAt', 'updatedAt'], now)
    const { tags, incomplete } = tagsOf([containerTags, containerTag])
    const id = textOf(fields['customId'], fields['id']) ?? idByContent(content, containerTags, containerTag)
    // Supermemory knows users by their container tag. Its own `userId` is the account that stored the document.
    const container = onlyText(containerTags, containerTag)
    const user = textOf(own['user_id'], own['userId']) ?? container
    const about = aboutUser('user_id or container tag', user)
    return {
      from,
      id: `supermemory:${id}`,
      names: { container_tag: container, user_id: user },
      note: about.note,
      line: {
        content: {
          text: content,
          metadata: {
            ...own,
            ...present({ title, url, source, type }),
            ...(incomplete ? present({ containerTags, containerTag }) : {}),
            ...life.kept,
            ...kept,
          },
        },
        ttl: life.ttl,
        ...times,
        tags,
        ...(about.context.subject === undefined ? {} : { context: about.context }),
      },
    }
  })
}

/** The only text among the values and their lists. A tag is no substitute, because a long one is cut. */
function onlyText(...values: unknown[]): string | undefined {
  const texts = new Set(values.flat().flatMap((value) => textOf(value)?.trim() ?? []))
  const [only] = texts
  return texts.size === 1 ? only : undefined
}
