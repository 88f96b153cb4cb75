import type { System } from '../../core/context.ts'
import type { VectorEntry, VectorsOf } from '../../core/ports.ts'
import { vectorName } from '../../core/values/vector-name.ts'

/**
 * Both vector tiers as one (architecture §4): the project's object holds every vector, the index a copy. The index is
 * always changed first, so that whatever fails in between is found in the object and done again.
 */

/** Stores vectors in place of what their items had; once it returns, a search finds them. */
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

/** Takes back vectors that were stored for a version that nobody wants any more. */
export async function takeBackVectors(
  system: System,
  projectId: string,
  entries: readonly VectorEntry[],
): Promise<void> {
  await system.vectorIndex?.remove(namesOf(entries))
  await system.projectVectors(projectId).remove(entries)
}

/** Erases the vectors of items: of all versions, or of those up to `version`. Safe to repeat. */
export async function removeVectors(system: System, projectId: string, items: readonly VectorsOf[]): Promise<void> {
  if (items.length === 0) return
  const object = system.projectVectors(projectId)
  if (system.vectorIndex) await system.vectorIndex.remove(await object.names(items))
  await object.remove(items)
}

const DRAIN_ITEMS = 500

/** Erases vectors of a deleted project; true once none is left. Bounded: call it until then. */
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
