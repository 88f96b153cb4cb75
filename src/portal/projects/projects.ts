import type { Page } from '../../core/http/cursor.ts'
import type { Project } from '../../identity/index.ts'
import type { Visit } from '../visit.ts'

/** The projects to choose from: the newest hundred. */
export const projectsOf = async (visit: Visit): Promise<Project[]> =>
  (await visit.api.get<Page<Project>>('/v1/projects', { limit: 100 })).data
