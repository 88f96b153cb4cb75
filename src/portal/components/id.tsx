import type { FC } from 'hono/jsx'
import { shownText, Visible } from '../../auth/index.ts'
import { Icon } from './icons.tsx'

/** An id or an address with a button that copies it, which needs JavaScript. */
export const Id: FC<{ of: string }> = ({ of }) => (
  <span class="id">
    <code>
      <Visible text={of} />
    </code>
    <CopyId of={of} />
  </span>
)

export const CopyId: FC<{ of: string }> = ({ of }) => (
  <button class="id-copy js-only" type="button" data-copy={shownText(of)} aria-label={`Copy ${shownText(of)}`}>
    <Icon name="copy" />
  </button>
)
