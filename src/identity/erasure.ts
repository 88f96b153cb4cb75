import type { Database } from '../core/database/database.ts'
import { workMessages } from '../core/message-kinds.ts'
import type { Work } from '../core/work.ts'

/** Messages about what is deleted here and what memory then erases: items and events of a project, events of a workspace, private items and events of a user. */
export type ErasureMessage =
  | { kind: 'project'; shard: string; project_id: string }
  | { kind: 'workspace'; shard: string; workspace_id: string }
  | { kind: 'user'; shard: string; tenant_id: string; user_id: string }

export const PROJECTS = workMessages('purge', 'project')
export const WORKSPACES = workMessages('purge', 'workspace')
export const USERS = workMessages('purge', 'user')

/** The erasure of projects that a commit deletes. */
export const projectErasure =
  ({ shard }: Database) =>
  (ids: readonly string[]): Work => ({
    kind: PROJECTS,
    messages: ids.map((id): ErasureMessage => ({ kind: 'project', shard, project_id: id })),
  })

/** The erasure of workspaces that a commit deletes. */
export const workspaceErasure =
  ({ shard }: Database) =>
  (ids: readonly string[]): Work => ({
    kind: WORKSPACES,
    messages: ids.map((id): ErasureMessage => ({ kind: 'workspace', shard, workspace_id: id })),
  })

/** SQL: what a deleted project loses in the commit that deletes it. */
export const BLANK_PROJECT = `name = '', description = '', icon = '', retention = null`

/** The erasure of users that a commit deletes. */
export const userErasure =
  ({ shard }: Database, tenantId: string) =>
  (ids: readonly string[]): Work => ({
    kind: USERS,
    messages: ids.map((id): ErasureMessage => ({ kind: 'user', shard, tenant_id: tenantId, user_id: id })),
  })
