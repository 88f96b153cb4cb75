import type { Recollect } from '../index.ts'
import type { MemoryItem } from '../types.ts'

/** Where an item of a store is: the name of its namespace, and its `custom_id`. */
export interface Place {
  namespace: string
  customId: string
}

/** Of one read: the namespaces that it may name (contract §3), ids for one permit (§6), and characters of an address. */
const READ_NAMESPACES = 16
const READ_IDS = 50
const READ_CHARACTERS = 4_096

export const placeKey = ({ namespace, customId }: Place): string => `${namespace} ${customId}`

/** The items that are at some places, those of others too, by `placeKey`. */
export async function holdersOf(
  { memory }: Recollect,
  project: { project_id?: string },
  places: readonly Place[],
): Promise<Map<string, MemoryItem>> {
  const wanted = new Set(places.map(placeKey))
  const holders = new Map<string, MemoryItem>()
  for (const { namespaces, customIds } of readsOf(places)) {
    const filters = JSON.stringify({ custom_id: { in: customIds } })
    for await (const item of memory.list({ ...project, namespaces, filters, limit: 100 })) {
      const key = placeKey({ namespace: item.context.namespace, customId: item.custom_id ?? '' })
      if (wanted.has(key)) holders.set(key, item)
    }
  }
  return holders
}

interface Read {
  namespaces: string[]
  customIds: string[]
}

function readsOf(places: readonly Place[]): Read[] {
  const reads: Read[] = []
  for (const { namespace, customId } of places) {
    const last = reads.at(-1)
    const namespaces = [...new Set([...(last?.namespaces ?? []), namespace])]
    const customIds = [...new Set([...(last?.customIds ?? []), customId])]
    const characters = encodeURIComponent(JSON.stringify(customIds)).length
    const fits = namespaces.length <= READ_NAMESPACES && customIds.length <= READ_IDS && characters <= READ_CHARACTERS
    if (last && fits) Object.assign(last, { namespaces, customIds })
    else reads.push({ namespaces: [namespace], customIds: [customId] })
  }
  return reads
}
