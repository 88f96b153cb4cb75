import type { Child, FC } from 'hono/jsx'
import { Badge, Empty } from './elements.tsx'

/** The state of the `EventList`'s connection; the script updates it. */
export const LiveState: FC = () => (
  <span data-live-state class="badge badge-busy js-only">
    Connecting
  </span>
)

interface EventListProps {
  channels: readonly string[]
  /** Shown while the list is empty: how to cause an event. */
  children?: Child
}

/** Live events; the script fills the list. A page has one such list at most. */
export const EventList: FC<EventListProps> = ({ channels, children }) => (
  <>
    <div data-live-empty class="js-only">
      <Empty icon="events" title="Waiting for events">
        {children}
      </Empty>
    </div>
    <ol class="list stream" data-live-events={channels.join(',')} tabindex={0} aria-label="Events, newest first" />
    <EventTemplate />
  </>
)

/** From which the script makes the row of an event. */
export const EventTemplate: FC = () => (
  <template data-live-row>
    <li>
      <div class="row">
        <strong data-slot="type" />
        <Badge plain>
          <span data-slot="channel" />
        </Badge>
        <time class="muted small" />
      </div>
      <details class="disclosure">
        <summary>
          <code data-slot="id" />
        </summary>
        <div class="code">
          <pre tabindex={0} role="group" aria-label="Data">
            <code data-slot="data" />
          </pre>
        </div>
      </details>
    </li>
  </template>
)
