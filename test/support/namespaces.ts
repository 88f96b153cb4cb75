import type { AuthContext } from '../../src/core/context.ts'
import { stored } from './search.ts'
import { db } from './world.ts'

/** Copies of the item `:model`, one for each `{namespace, nth}` of `:copies`; the nth was made n milliseconds after it. */
const COPIES = `
  insert into memory_items (id, tenant_id, project_id, namespace, scope, text_hash, type, visibility, version,
    text_version, text_by, text_at, vector_version, write_id, embedding_status, next_attempt_at, created_by, updated_by,
    created_at, updated_at, tags, metadata, text, indexed_by, indexed_version)
  select i.id || '_' || n.key, i.tenant_id, i.project_id, n.value ->> 'namespace', i.scope, i.text_hash, i.type, i.visibility,
    1, 1, i.text_by, i.text_at, 1, i.write_id, 'completed', i.next_attempt_at, i.created_by, i.updated_by,
    i.created_at + (n.value ->> 'nth'), i.updated_at, '[]', '{}', 'copy', 2, 1
  from json_each(:copies) n cross join memory_items i where i.id = :model`

/** Stores so many items in each namespace, by two statements; the first item of all is in the namespace `model`. */
export async function fill(
  ctx: AuthContext,
  counts: Record<string, number>,
  { project_id, visibility = 'project' }: { project_id?: string; visibility?: 'project' | 'private' } = {},
): Promise<void> {
  const model = await stored(ctx, 'a model', { visibility, context: { namespace: 'model', project_id } })
  const copies = Object.entries(counts).flatMap(([namespace, count]) =>
    Array.from({ length: count }, (_, at) => ({ namespace, nth: at + 1 })),
  )
  await db.write(COPIES, { model: model.id, copies: JSON.stringify(copies) })
}
