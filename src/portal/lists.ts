import type { Page } from '../core/http/cursor.ts'
import type { Project, Workspace } from '../identity/index.ts'
import type { PageContext } from './page-context.ts'

/** The newest 100 projects, to choose from and to show names instead of ids. */
export const listProjects = async (ctx: PageContext): Promise<Project[]> =>
  (await ctx.api.get<Page<Project>>('/v1/projects', { limit: 100 })).data

/** The newest 100 workspaces, to choose from and to show names instead of ids. */
export const listWorkspaces = async (ctx: PageContext): Promise<Workspace[]> =>
  (await ctx.api.get<Page<Workspace>>('/v1/workspaces', { limit: 100 })).data
