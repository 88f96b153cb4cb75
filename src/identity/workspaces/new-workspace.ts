import type { Database, Statement } from '../../core/database/database.ts'
import { query, wholeRow } from '../../core/database/query.ts'
import { workspace_members, workspaces } from '../table.ts'

const insertWorkspace = query((db, row: typeof workspaces.$inferSelect) =>
  db.insert(workspaces).values(wholeRow(workspaces, row)),
)

const insertMember = query((db, row: typeof workspace_members.$inferSelect) =>
  db.insert(workspace_members).values(wholeRow(workspace_members, row)),
)

export interface NewWorkspace {
  id: string
  tenantId: string
  name: string
  ownerId: string
  /** Milliseconds since 1970. */
  now: number
}

/** The statements that make a workspace with its owner. */
export const newWorkspace = (db: Database, { id, tenantId, name, ownerId, now }: NewWorkspace): Statement[] => [
  db.statement(insertWorkspace, {
    id,
    tenant_id: tenantId,
    name,
    created_by: ownerId,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    purged_at: null,
  }),
  db.statement(insertMember, {
    workspace_id: id,
    user_id: ownerId,
    tenant_id: tenantId,
    role: 'owner',
    created_at: now,
  }),
]
