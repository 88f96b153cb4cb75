import { NotText, readText, splitLines } from '../read-text.ts'
import { unread, type Converted } from './line.ts'
import { fieldsOf, listOf, textOf } from './records.ts'
import { tagsOf } from './tags.ts'

/**
 * The knowledge graph of the official memory server, a JSON line for each entity and relation. Each observation of an entity
 * becomes an item, and so does each relation: a search then finds the one fact. An entity without observations has nothing
 * to say but its type.
 */
export async function* fromMcpMemory(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Converted> {
  let number = 0
  for await (const bytes of splitLines(chunks)) {
    number += 1
    const from = `line ${number}`
    const read = recordOf(bytes)
    if (read === null) continue
    if (typeof read === 'string') yield unread(from, read)
    else yield* itemsOf(from, read)
  }
}

/** The record of a line, or why there is none; null: the line is empty. */
function recordOf(bytes: Uint8Array): Record<string, unknown> | string | null {
  try {
    const text = readText(bytes).trim()
    return text === '' ? null : (fieldsOf(JSON.parse(text)) ?? 'it is not an object')
  } catch (error) {
    return error instanceof NotText ? error.message : 'it is not JSON'
  }
}

function itemsOf(from: string, record: Record<string, unknown>): Converted[] {
  if (record['type'] === 'entity') return ofEntity(from, record)
  if (record['type'] === 'relation') return [ofRelation(from, record)]
  return [unread(from, 'it is neither an entity nor a relation')]
}

function ofEntity(from: string, { name: named, entityType, observations }: Record<string, unknown>): Converted[] {
  const name = textOf(named)
  if (name === undefined) return [unread(from, 'it has no name')]
  const type = textOf(entityType)
  const { tags } = tagsOf([type])
  const metadata = { source: 'mcp-memory', entity: name, ...(type === undefined ? {} : { entity_type: type }) }
  const item = (text: string, ...key: string[]): Converted => ({
    from,
    id: `mcp-memory:${JSON.stringify([name, ...key])}`,
    line: { content: { text, metadata }, tags },
  })
  const all = listOf(observations)
  if (all.length === 0) return [item(type === undefined ? name : `${name} (${type})`)]
  return all.map((one, n) => {
    const text = textOf(one)
    return text === undefined ? unread(from, `observation ${n + 1} is not a text`) : item(`${name}: ${text}`, text)
  })
}

function ofRelation(from: string, record: Record<string, unknown>): Converted {
  const [subject, verb, object] = ['from', 'relationType', 'to'].map((field) => textOf(record[field]))
  if (subject === undefined || verb === undefined || object === undefined)
    return unread(from, 'it has no from, relationType and to')
  return {
    from,
    id: `mcp-memory:${JSON.stringify([subject, verb, object])}`,
    line: {
      content: {
        text: `${subject} ${verb.replaceAll('_', ' ')} ${object}`,
        metadata: { source: 'mcp-memory', from: subject, relation: verb, to: object },
      },
      tags: [],
    },
  }
}
