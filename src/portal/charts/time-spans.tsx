import type { FC } from 'hono/jsx'

interface TimeSpansProps {
  spans: Readonly<Record<string, { label: string }>>
  current: string
  href: (span: string, withPortal: boolean) => string
  /** Whether what the portal read to show its pages is among what is shown. */
  withPortal: boolean
}

/** The choice of a time span, and the switch for the portal's own reads. */
export const TimeSpans: FC<TimeSpansProps> = ({ spans, current, href, withPortal }) => (
  <div class="row">
    <nav class="tabs" aria-label="Time span">
      {Object.entries(spans).map(([value, { label }]) => (
        <a href={href(value, withPortal)} aria-current={value === current ? 'true' : undefined}>
          {label}
        </a>
      ))}
    </nav>
    <a class="button button-small" href={href(current, !withPortal)}>
      {withPortal ? 'Hide reads by the portal' : 'Show reads by the portal'}
    </a>
  </div>
)
