import { getTextAtPath, type Item, type PutOperation, type SearchItem } from '@langchain/langgraph-checkpoint'
import { MAX_ITEM_CHARACTERS, storable } from '../storable.ts'
import type { BatchOperation, MemoryItem } from '../types.ts'
import { divided, united, type Part } from './divided.ts'
import type { ItemName } from './holders.ts'
import { pathOfName } from './names.ts'
import type { NamespaceName } from './naming.ts'

type Value = Item['value']

/** Reserved metadata of an item. It marks the items of a store, and keeps what the name and `custom_id` do not tell. */
interface Reserved {
  /** 2: no search with a query finds the item, though its text holds a part of the value. */
  v: 1 | 2
  namespace?: string[]
  key?: string
  /** The parts of the value that its text holds. */
  parts?: Part[]
}

/** The items of a store among others of the project, and those of them that a query finds. */
export const OF_STORE = { 'metadata.langgraph.v': { in: [1, 2] } }
export const FOUND_BY_QUERY = { 'metadata.langgraph.v': 1 }
/** The name of a hash in the reserved metadata. */
export const hashField = (labels: number): string => `metadata.langgraph.d${labels}`

/** A text without a word: no search finds it. */
const NO_TEXT = '.'

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
  const own = { ...hashes, ...(hashed ? { namespace } : {}), ...(customId === key ? {} : { key }) }
  const found = index ?? fields
  const { kept, parts, text } = divided(value, own)
  const isHidden = found === false && parts.length > 0
  const langgraph: Reserved = { v: isHidden ? 2 : 1, ...own, ...(parts.length > 0 ? { parts } : {}) }
  // A field that the text holds is not repeated in it.
  const texts = [text, ...textsOf(parts.length > 0 ? kept : value, found)].filter((one) => one !== '')
  // The service refuses a value that is too long. What is found of it may be cut.
  const characters = Math.max(MAX_ITEM_CHARACTERS, Array.from(text).length)
  return {
    op: 'store',
    content: { text: storable(texts.join('\n'), characters) || NO_TEXT, metadata: { value: kept, langgraph } },
    context: { namespace: name, ...(projectId === undefined ? {} : { project_id: projectId }) },
    custom_id: customId,
  }
}

/** The texts of some fields, or of all of them. */
function textsOf(value: Value, fields: false | readonly string[] | undefined): string[] {
  if (fields === false) return []
  return fields === undefined ? leavesOf(value) : fields.flatMap((field) => getTextAtPath(value, field))
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
  const { value: kept, langgraph } = content.metadata as { value?: Value; langgraph?: Reserved }
  const namespace = langgraph?.namespace ?? pathOfName(context.namespace)
  const key = langgraph?.key ?? custom_id
  if (![1, 2].includes(langgraph?.v ?? 0) || kept === undefined || namespace === null || key === null) return null
  const value = united(kept, langgraph?.parts ?? [], content.text)
  const item = { value, key, namespace, createdAt: new Date(created_at), updatedAt: new Date(updated_at) }
  return score === undefined ? item : { ...item, score }
}
