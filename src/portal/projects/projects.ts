import type { Page } from '../../core/http/cursor.ts'
import type { Project } from '../../identity/index.ts'
import type { PageContext } from '../page-context.ts'

/** The projects to choose from: the newest hundred. */
export const projectsOf = async (ctx: PageContext): Promise<Project[]> =>
  (await ctx.api.get<Page<Project>>('/v1/projects', { limit: 100 })).data
