import type { ListNamespacesOperation, MatchCondition } from '@langchain/langgraph-checkpoint'

/** Whether a path begins or ends as each condition says; `*` stands for any label. */
export const matches = (conditions: readonly MatchCondition[], path: readonly string[]): boolean =>
  conditions.every(({ matchType, path: wanted }) => {
    const from = matchType === 'prefix' ? 0 : path.length - wanted.length
    return wanted.length <= path.length && wanted.every((label, at) => label === '*' || label === path[from + at])
  })

/** The labels that begin every path that meets the conditions. */
export function beginningOf(conditions: readonly MatchCondition[]): string[] {
  const wanted = conditions.find(({ matchType }) => matchType === 'prefix')?.path ?? []
  const wildcard = wanted.indexOf('*')
  return wildcard === -1 ? wanted : wanted.slice(0, wildcard)
}

/** The page of the paths that an operation asks for: cut to its depth, each once, in order. */
export function pageOf(paths: readonly string[][], operation: ListNamespacesOperation): string[][] {
  const { maxDepth, limit, offset } = operation
  const cut = paths.map((path) => path.slice(0, maxDepth))
  const unique = [...new Map(cut.map((path) => [JSON.stringify(path), path])).values()]
  unique.sort((a, b) => a.join(':').localeCompare(b.join(':')))
  return unique.slice(offset, offset + limit)
}
