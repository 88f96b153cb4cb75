import { getTextAtPath, type Item, type PutOperation, type SearchItem } from '@langchain/langgraph-checkpoint'
import type { BatchOperation, MemoryItem } from '../types.ts'
import { pathOfName } from './names.ts'
import type { ItemName } from './holders.ts'
import type { NamespaceName } from './naming.ts'

type Value = Item['value']

/** Reserved metadata of an item. It marks the items of a store, and keeps what the name and `custom_id` do not tell. */
interface Reserved {
  v: 1
  namespace?: string[]
  key?: string
}

/** The items of a store among others of the project. */
export const OF_STORE = { 'metadata.langgraph.v': 1 }
/** The name of a hash in the reserved metadata. */
export const hashField = (labels: number): string => `metadata.langgraph.d${labels}`

/** A text without a word: no search finds it. */
const NO_TEXT = '.'
const MAX_FOUND_CHARACTERS = 65_536

type Store = Extract<BatchOperation, { op: 'store' }>

interface Place {
  name: ItemName & NamespaceName
  /** Fields whose text is found, unless the operation names others. */
  fields: readonly string[] | undefined
  projectId: string | undefined
}

/** What stores a value. */
export function storeOf(
  { namespace, key, index }: PutOperation,
  value: Value,
  { name: { namespace: name, customId, hashes, hashed }, fields, projectId }: Place,
): Store {
  const reserved: Reserved = { v: 1, ...hashes, ...(hashed ? { namespace } : {}), ...(customId === key ? {} : { key }) }
  return {
    op: 'store',
    content: { text: textOf(value, index ?? fields), metadata: { value, langgraph: reserved } },
    context: { namespace: name, ...(projectId === undefined ? {} : { project_id: projectId }) },
    custom_id: customId,
  }
}

/** The text of some fields, or of all of them. */
function textOf(value: Value, fields: false | readonly string[] | undefined): string {
  const texts =
    fields === false
      ? []
      : fields === undefined
        ? leavesOf(value)
        : fields.flatMap((field) => getTextAtPath(value, field))
  const text = texts.filter((one) => one !== '').join('\n')
  return Array.from(text).slice(0, MAX_FOUND_CHARACTERS).join('') || NO_TEXT
}

/** All that a value says, without the names of its fields: they would be found in every item. */
function leavesOf(value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (typeof value === 'object') return Object.values(value).flatMap(leavesOf)
  return [typeof value === 'string' ? value : JSON.stringify(value)]
}

/** An item as LangGraph has it; null: it is none of a store. */
export function itemOf(
  { content, context, custom_id, created_at, updated_at }: MemoryItem,
  score?: number,
): SearchItem | null {
  const { value, langgraph } = content.metadata as { value?: Value; langgraph?: Reserved }
  const namespace = langgraph?.namespace ?? pathOfName(context.namespace)
  const key = langgraph?.key ?? custom_id
  if (langgraph?.v !== 1 || value === undefined || namespace === null || key === null) return null
  const item = { value, key, namespace, createdAt: new Date(created_at), updatedAt: new Date(updated_at) }
  return score === undefined ? item : { ...item, score }
}
