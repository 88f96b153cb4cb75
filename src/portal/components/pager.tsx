import type { FC } from 'hono/jsx'

interface PagerProps {
  url: URL
  next: string | null
  /** The words of both links (default: those of a list that is newest first). */
  first?: string
  further?: string
}

/** Links to the first and the next page of a list. */
export const Pager: FC<PagerProps> = ({ url, next, first = '← Newest', further = 'Older →' }) => {
  const onFirst = !url.searchParams.has('cursor')
  if (onFirst && next === null) return null
  return (
    <nav class="pager" aria-label="Pages">
      {onFirst ? <span /> : <a href={withParameter(url, 'cursor', null)}>{first}</a>}
      {next !== null && <a href={withParameter(url, 'cursor', next)}>{further}</a>}
    </nav>
  )
}

/** The path and query of `url` with one parameter changed. */
export function withParameter(url: URL, name: string, value: string | null): string {
  const params = new URLSearchParams(url.search)
  if (value === null) params.delete(name)
  else params.set(name, value)
  const query = params.toString()
  return query === '' ? url.pathname : `${url.pathname}?${query}`
}
