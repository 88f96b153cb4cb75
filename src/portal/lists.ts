import type { Page } from '../core/http/cursor.ts'
import type { Project, Workspace } from '../identity/index.ts'
import type { PageContext } from './page-context.ts'

/** The newest 100 projects, to choose from and to show names instead of ids. */
export const listProjects = async (ctx: PageContext): Promise<Project[]> =>
  (await ctx.api.get<Page<Project>>('/v1/projects', { limit: 100 })).data

/** The newest 100 workspaces, to choose from and to show names instead of ids. */
export const listWorkspaces = async (ctx: PageContext): Promise<Workspace[]> =>
  (await ctx.api.get<Page<Workspace>>('/v1/workspaces', { limit: 100 })).data

/** The project that a list is of: that of the query, by default the user's first one; empty where there is none. */
export const projectIn = ({ url }: PageContext, projects: readonly Project[]): string =>
  url.searchParams.get('project_id') || (projects.at(-1)?.id ?? '')
