import { isAppError, type AppError } from '../../core/errors.ts'
import type { SearchReply } from '../../memory/index.ts'
import type { PageContext } from '../page-context.ts'
import type { ProjectSelection } from './project-selection.tsx'
import { filtersIn, subjectIn } from './search-filters.ts'

export type SearchOutcome =
  | { query: string; body: Record<string, unknown>; reply: SearchReply }
  | { query: string; error: AppError }
  | null

/** The search that the query of the page asks for; null without one. */
export async function runSearch(ctx: PageContext, selection: ProjectSelection): Promise<SearchOutcome> {
  const asked = ctx.url.searchParams
  const query = asked.get('q')?.trim() ?? ''
  if (query === '') return null
  const filters = filtersIn(ctx)
  const threshold = asked.get('threshold') ?? ''
  const body = {
    query,
    context: {
      project_id: selection.projectId,
      namespace: selection.namespace,
      ...(subjectIn(ctx) === '' ? {} : { subject: subjectIn(ctx) }),
    },
    mode: asked.get('mode') ?? 'hybrid',
    ...(Object.keys(filters).length > 0 ? { filters } : {}),
    ...(threshold === '' ? {} : { similarity_threshold: Number(threshold) }),
  }
  try {
    const include = ['score_breakdown']
    const reply = await ctx.api.search<SearchReply>('/api/memory/search', { ...body, include })
    return { query, body, reply }
  } catch (error) {
    if (isAppError(error) && error.status !== 401 && error.status !== 404) return { query, error }
    throw error
  }
}
