import type { SpanName } from './series.ts'

/** The settings that every plot of the page shares. */
export interface Time {
  steps: readonly string[]
  withTime: boolean
  /** `24 hours`, at the end of each title. */
  label: string
}

/** The page with these choices. */
export const hrefOf = (span: SpanName, webhook: string | null, withPortal: boolean): string =>
  `/portal/insights?${new URLSearchParams({
    span,
    ...(webhook === null ? {} : { webhook }),
    ...(withPortal ? { portal: 'include' } : {}),
  }).toString()}`
