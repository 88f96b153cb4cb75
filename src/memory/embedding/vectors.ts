import type { System } from '../../core/context.ts'
import { inSpan } from '../../core/spans.ts'
import type { VectorEntry, VectorsOf } from '../../core/vectors.ts'
import { vectorName } from '../../core/values/vector-name.ts'

/**
 * The two vector tiers as one (architecture §4): the project's object holds every vector, the index holds a copy. Each
 * change goes to the index first. After a failure the object still knows the vectors, and the change can be repeated.
 */

/** A project, and the shard of its tenant. */
export interface ProjectIn {
  shard: string
  projectId: string
}

const objectOf = (system: System, { projectId, shard }: ProjectIn) => system.projectVectors(projectId, shard)

/** Stores vectors and replaces older ones of their items. A search finds them as soon as this returns. */
export const putVectors = (
  system: System,
  tenantId: string,
  project: ProjectIn,
  entries: readonly VectorEntry[],
): Promise<void> => inSpan('vectors', {}, {}, () => putIntoTiers(system, tenantId, project, entries))

async function putIntoTiers(
  system: System,
  tenantId: string,
  project: ProjectIn,
  entries: readonly VectorEntry[],
): Promise<void> {
  const object = objectOf(system, project)
  if (system.vectorIndex) {
    const fresh = new Set(namesOf(entries))
    const before = await object.names(entries)
    await system.vectorIndex.upsert(tenantId, project.projectId, entries)
    await system.vectorIndex.remove(before.filter((name) => !fresh.has(name)))
  }
  await object.put(system.embedder.model, entries)
}

/** Removes entries that were stored for an obsolete version. */
export async function removeEntries(
  system: System,
  project: ProjectIn,
  entries: readonly VectorEntry[],
): Promise<void> {
  await system.vectorIndex?.remove(namesOf(entries))
  await objectOf(system, project).remove(entries)
}

/** Erases the vectors of items: of all versions, or up to `version`. Safe to repeat. */
export async function removeVectors(system: System, project: ProjectIn, items: readonly VectorsOf[]): Promise<void> {
  if (items.length === 0) return
  const object = objectOf(system, project)
  if (system.vectorIndex) await system.vectorIndex.remove(await object.names(items))
  await object.remove(items)
}

const DRAIN_ITEMS = 500

/** Erases some vectors of a deleted project. Call it until it answers true: none is left. */
export async function drainVectors(system: System, project: ProjectIn): Promise<boolean> {
  const items = await objectOf(system, project).items(DRAIN_ITEMS)
  await removeVectors(
    system,
    project,
    items.map((item) => ({ item })),
  )
  return items.length < DRAIN_ITEMS
}

const namesOf = (entries: readonly VectorEntry[]): string[] =>
  entries.map(({ item, version, chunk }) => vectorName(item, version, chunk))
