import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { Leased } from './lease.ts'
import { removeVectors } from './vectors.ts'

/** A copy of the vectors of these projects is outdated from then on. */
export const OUTDATE_COPIES = `
  update project_words set vectors_revision = random() & 0x1fffffffffffff where project_id in (select value from json_each(:projects))`

/**
 * Removes the vectors of earlier versions of items that get no others: those have the readers of then. Answers the items that
 * have none any longer. Vectors of the present version stay, as another consumer may have stored them.
 */
export async function removeOlderVectors(system: System, db: Database, items: readonly Leased[]): Promise<Leased[]> {
  const removed = items.filter(({ vector_version }) => vector_version === 1)
  const projects: string[] = []
  const changed = items.filter(({ vector_version }) => vector_version > 1)
  for (const [projectId, own] of Map.groupBy(changed, ({ project_id }) => project_id)) {
    const older = own.map(({ id, vector_version }) => ({ item: id, version: vector_version - 1 }))
    try {
      await removeVectors(system, { shard: db.shard, projectId }, older)
      projects.push(projectId)
      removed.push(...own)
    } catch (error) {
      system.log.error({ event: 'embed.older_vectors_kept', project_id: projectId, items: own.length }, error)
    }
  }
  if (projects.length > 0) await db.write(OUTDATE_COPIES, { projects: JSON.stringify(projects) })
  return removed
}
