import { exactJson } from './integers.ts'
import { boundedId, boundedTags, instantOf, present, type Converted, type ImportLine } from './line.ts'
import { notAfter, updatedAfter } from './mem0.ts'
import { fieldsOf, listOf, metadataOf, recordsOf, textOf } from './records.ts'

/**
 * The documents and the memory entries of Supermemory, as its lists give them. The `customId`, else the id, becomes the
 * `custom_id`; container tags become tags; title, address and type go into the metadata. A list of documents without their
 * content is no export: the summary of a text is not the text.
 */
export function fromSupermemory(text: string, now: number): Converted[] {
  return recordsOf(text, ['memories', 'memoryEntries', 'documents', 'results', 'data']).map(({ from, record }) => {
    const fields = fieldsOf(record)
    if (!fields) return { from, skipped: 'it is not an object' }
    if (fields['isForgotten'] === true) return { from, skipped: 'it was forgotten' }
    if (fields['isLatest'] === false) return { from, skipped: 'a later version replaces it' }
    const content = textOf(fields['content'], fields['memory'], fields['raw'])
    if (content === undefined) return { from, skipped: 'it has no content: export with "includeContent": true' }
    const { title, url, source, type } = fields
    const id = textOf(fields['customId'], fields['id'])
    const created = notAfter(instantOf(fields['createdAt']), now)
    const updated = notAfter(instantOf(fields['updatedAt']), now)
    const line: ImportLine = {
      content: {
        text: content,
        metadata: { ...metadataOf(fields['metadata']), ...present({ title, url, source, type }) },
      },
      ...present({
        custom_id: id === undefined ? undefined : boundedId(`supermemory:${id}`),
        created_at: created,
        updated_at: updatedAfter(created, updated),
      }),
      tags: boundedTags([...listOf(fields['containerTags']), fields['containerTag']]),
    }
    return { from, line: exactJson(from, line) }
  })
}
