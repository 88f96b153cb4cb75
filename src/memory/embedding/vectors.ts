import type { System } from '../../core/context.ts'
import type { VectorEntry, VectorsOf } from '../../core/ports.ts'
import { vectorName } from '../../core/values/vector-name.ts'

/**
 * The two vector tiers as one (architecture §4): the project's object holds every vector, the index holds a copy. Each
 * change goes to the index first. After a failure the object still knows the vectors, and the change can be repeated.
 */

/** Stores vectors and replaces older ones of their items. A search finds them as soon as this returns. */
export async function putVectors(
  system: System,
  tenantId: string,
  projectId: string,
  entries: readonly VectorEntry[],
): Promise<void> {
  const object = system.projectVectors(projectId)
  if (system.vectorIndex) {
    const fresh = new Set(namesOf(entries))
    const before = await object.names(entries)
    await system.vectorIndex.upsert(tenantId, projectId, entries)
    await system.vectorIndex.remove(before.filter((name) => !fresh.has(name)))
  }
  await object.put(system.embedder.model, entries)
}

/** Removes entries that were stored for an obsolete version. */
export async function removeEntries(system: System, projectId: string, entries: readonly VectorEntry[]): Promise<void> {
  await system.vectorIndex?.remove(namesOf(entries))
  await system.projectVectors(projectId).remove(entries)
}

/** Erases the vectors of items: of all versions, or up to `version`. Safe to repeat. */
export async function removeVectors(system: System, projectId: string, items: readonly VectorsOf[]): Promise<void> {
  if (items.length === 0) return
  const object = system.projectVectors(projectId)
  if (system.vectorIndex) await system.vectorIndex.remove(await object.names(items))
  await object.remove(items)
}

const DRAIN_ITEMS = 500

/** Erases some vectors of a deleted project. Call it until it answers true: none is left. */
export async function drainVectors(system: System, projectId: string): Promise<boolean> {
  const items = await system.projectVectors(projectId).items(DRAIN_ITEMS)
  await removeVectors(
    system,
    projectId,
    items.map((item) => ({ item })),
  )
  return items.length < DRAIN_ITEMS
}

const namesOf = (entries: readonly VectorEntry[]): string[] =>
  entries.map(({ item, version, chunk }) => vectorName(item, version, chunk))
