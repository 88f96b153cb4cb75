import type { Visit } from '../visit.ts'
import type { Page } from '../wire.ts'

/** A workspace as lists and choices need it. */
export interface Workspace {
  id: string
  name: string
}

/** The workspaces to choose from: the newest hundred. */
export const workspacesOf = async (visit: Visit): Promise<Workspace[]> =>
  (await visit.api.get<Page<Workspace>>('/v1/workspaces', { limit: 100 })).data
