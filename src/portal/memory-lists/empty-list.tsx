import type { Child, FC } from 'hono/jsx'
import type { Page } from '../../core/http/cursor.ts'
import { Empty } from '../components/elements.tsx'
import type { IconName } from '../components/icons.tsx'

interface EmptyListProps {
  icon: IconName
  /** The plural of what the page lists. */
  what: string
  page: Page<unknown>
  url: URL
  /** The list without its filter, where it has one. */
  unfiltered: string | null
  /** What to do where there is nothing at all. */
  children?: Child
}

/** A page without entries is not yet a list without any: others may follow or precede it, or pass no filter. */
export const EmptyList: FC<EmptyListProps> = ({ icon, what, page, url, unfiltered, children }) =>
  page.has_more ? (
    <Empty icon={icon} title={`No ${what} on this page`}>
      <p>The list continues on the next page.</p>
    </Empty>
  ) : url.searchParams.has('cursor') ? (
    <Empty icon={icon} title={`No further ${what}`} />
  ) : unfiltered === null ? (
    <Empty icon={icon} title={`No ${what}`}>
      {children}
    </Empty>
  ) : (
    <Empty icon={icon} title={`No ${what} match this filter`}>
      <p>
        <a href={unfiltered}>Show all {what}</a>
      </p>
    </Empty>
  )

/** Whether a list is empty, and not only its page. */
export const isEmptyList = (page: Page<unknown>, url: URL): boolean =>
  page.data.length === 0 && !page.has_more && !url.searchParams.has('cursor')
