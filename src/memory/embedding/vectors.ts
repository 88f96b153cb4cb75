import type { System } from '../../core/context.ts'
import { inSpan } from '../../core/spans.ts'
import type { ReaderOf, VectorEntry, VectorsOf } from '../../core/vectors.ts'
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

/**
 * Stores vectors and replaces older ones of their items. A search finds them as soon as this returns. Answers whether their
 * readers are kept.
 */
export const putVectors = (
  system: System,
  tenantId: string,
  project: ProjectIn,
  entries: readonly VectorEntry[],
): Promise<boolean> => inSpan('vectors', {}, {}, () => putIntoTiers(system, tenantId, project, entries))

async function putIntoTiers(
  system: System,
  tenantId: string,
  project: ProjectIn,
  entries: readonly VectorEntry[],
): Promise<boolean> {
  const object = objectOf(system, project)
  if (system.vectorIndex) {
    const fresh = new Set(namesOf(entries))
    const before = await object.names(entries)
    await system.vectorIndex.upsert(tenantId, project.projectId, entries)
    await system.vectorIndex.remove(before.filter((name) => !fresh.has(name)))
  }
  return object.put(system.embedder.model, entries)
}

/** Vectors that get their reader. The index holds those of the present model. */
interface ToFile extends ReaderOf {
  isIndexed: boolean
}

/** Sets the readers of vectors that were stored without. The index takes no change of a part, so it gets them again. */
export async function fileVectors(
  system: System,
  tenantId: string,
  project: ProjectIn,
  items: readonly ToFile[],
): Promise<void> {
  const object = objectOf(system, project)
  const indexed = system.vectorIndex ? items.filter(({ isIndexed }) => isIndexed) : []
  const byItem = new Map(indexed.map((one) => [one.item, one]))
  const entries = (indexed.length > 0 ? await object.entries(indexed) : []).flatMap((entry) => {
    const filed = byItem.get(entry.item)
    return filed?.version === entry.version ? [{ ...entry, reader: filed.reader }] : []
  })
  if (entries.length > 0) await system.vectorIndex?.upsert(tenantId, project.projectId, entries)
  const missing = new Set(
    await object.setReaders(
      items.map(({ item, version, reader, turnWords = null }) => ({ item, version, reader, turnWords })),
    ),
  )
  // Another version has replaced them since, and its consumer did not know these names.
  const late = entries.filter(({ item }) => missing.has(item))
  if (late.length > 0) await system.vectorIndex?.remove(namesOf(late))
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
