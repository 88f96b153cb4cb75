import type { Recollect } from '../index.ts'
import type { MemoryItem } from '../types.ts'

/** What names an item of a store: the name of its namespace, and its `custom_id`. */
export interface ItemName {
  namespace: string
  customId: string
}

/** Of one read: the namespaces that it may name (contract §3), ids for one permit (§6), and characters of its query. */
const READ_NAMESPACES = 16
const READ_IDS = 50
const READ_CHARACTERS = 6_144

export const nameKey = ({ namespace, customId }: ItemName): string => `${namespace} ${customId}`

/** The items of some names, those of others too, by `nameKey`. */
export async function holdersOf(
  { memory }: Recollect,
  project: { project_id?: string },
  names: readonly ItemName[],
): Promise<Map<string, MemoryItem>> {
  const wanted = new Set(names.map(nameKey))
  const holders = new Map<string, MemoryItem>()
  for (const { namespaces, customIds } of readsOf(names)) {
    const filters = JSON.stringify({ custom_id: { in: customIds } })
    for await (const item of memory.list({ ...project, namespaces, filters, limit: 100 })) {
      const key = nameKey({ namespace: item.context.namespace, customId: item.custom_id?.normalize('NFC') ?? '' })
      if (wanted.has(key)) holders.set(key, item)
    }
  }
  return holders
}

interface Read {
  namespaces: string[]
  customIds: string[]
}

function readsOf(names: readonly ItemName[]): Read[] {
  const reads: Read[] = []
  for (const { namespace, customId } of names) {
    const last = reads.at(-1)
    const namespaces = [...new Set([...(last?.namespaces ?? []), namespace])]
    const customIds = [...new Set([...(last?.customIds ?? []), customId])]
    const characters = encodeURIComponent([...namespaces, JSON.stringify(customIds)].join()).length
    const fits = namespaces.length <= READ_NAMESPACES && customIds.length <= READ_IDS && characters <= READ_CHARACTERS
    if (last && fits) Object.assign(last, { namespaces, customIds })
    else reads.push({ namespaces: [namespace], customIds: [customId] })
  }
  return reads
}
