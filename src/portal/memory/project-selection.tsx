import type { Project } from '../../identity/index.ts'
import type { PageContext } from '../page-context.ts'
import { listProjects } from '../lists.ts'

/** What the playground shows: one project, and one namespace of it or all. */
export interface ProjectSelection {
  projects: readonly Project[]
  projectId: string
  /** `*`: all. */
  namespace: string
}

/** The selection of the form or the query; by default the user's first project. */
export async function selectionOf(ctx: PageContext): Promise<ProjectSelection> {
  const projects = await listProjects(ctx)
  const named = ctx.form.text('project_id') || (ctx.url.searchParams.get('project_id') ?? '')
  return {
    projects,
    projectId: named || (projects.at(-1)?.id ?? ''),
    // Links repeat it. One that is cut is too long for the API all the same.
    namespace: ctx.url.searchParams.get('namespace')?.slice(0, 512) || '*',
  }
}

export const playgroundPath = (selection: Pick<ProjectSelection, 'projectId' | 'namespace'>, hash = ''): string =>
  `/portal/memory?${new URLSearchParams({ project_id: selection.projectId, ...(selection.namespace === '*' ? {} : { namespace: selection.namespace }) }).toString()}${hash}`
