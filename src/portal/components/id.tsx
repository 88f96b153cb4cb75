import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import { Icon } from './icons.tsx'

/** An id or an address with a button that copies it, which needs JavaScript. */
export const Id: FC<{ of: string }> = ({ of }) => (
  <span class="id">
    <code>
      <Visible text={of} />
    </code>
    <button class="id-copy js-only" type="button" data-copy={of} aria-label={`Copy ${of}`}>
      <Icon name="copy" />
    </button>
  </span>
)
