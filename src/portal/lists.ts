import type { Page } from '../core/http/cursor.ts'
import { ROLES_THAT, type Project, type Workspace } from '../identity/index.ts'
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

/** A number of entries that may have been counted to a bound alone, and not all of them readable. */
export const counted = (count: number, isCut: boolean | undefined): string =>
  isCut && count === 0 ? 'Some' : `${count.toLocaleString('en-US')}${isCut ? ' or more' : ''}`

/** The list of a project without any filter. */
export const listOf = (path: string, projectId: string): string =>
  `${path}?${new URLSearchParams({ project_id: projectId }).toString()}`

/** Whether the user administers the project, so that an erasure covers it. */
export function mayErase(projects: readonly Project[], workspaces: readonly Workspace[], projectId: string): boolean {
  const workspaceId = projects.find(({ id }) => id === projectId)?.workspace_id
  const role = workspaces.find(({ id }) => id === workspaceId)?.role
  return role !== undefined && ROLES_THAT.manage.includes(role)
}
