import type { Workspace } from '../../identity/index.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../../core/http/cursor.ts'

/** The workspaces to choose from: the newest hundred. */
export const workspacesOf = async (ctx: PageContext): Promise<Workspace[]> =>
  (await ctx.api.get<Page<Workspace>>('/v1/workspaces', { limit: 100 })).data
