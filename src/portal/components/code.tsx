import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'

/** Code with a copy button, which needs JavaScript. `copy`: what it copies, where that is not the text as shown. */
export const Code: FC<{ text: string; label: string; secret?: boolean; copy?: string }> = ({
  text,
  label,
  secret,
  copy,
}) => (
  <div class={secret ? 'code secret' : 'code'}>
    <pre tabindex={0} role="group" aria-label={label}>
      <code>
        <Visible text={text} />
      </code>
    </pre>
    <button class="button button-small js-only" type="button" data-copy={copy ?? text} aria-label={`Copy: ${label}`}>
      Copy
    </button>
  </div>
)
