import type { Workspace } from '../../identity/index.ts'
import type { Visit } from '../visit.ts'
import type { Page } from '../../core/http/cursor.ts'

/** The workspaces to choose from: the newest hundred. */
export const workspacesOf = async (visit: Visit): Promise<Workspace[]> =>
  (await visit.api.get<Page<Workspace>>('/v1/workspaces', { limit: 100 })).data
