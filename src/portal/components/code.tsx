import type { FC } from 'hono/jsx'
import { shownText, Visible } from '../../auth/index.ts'

/** Code with a button that copies what is shown, which needs JavaScript. */
export const Code: FC<{ text: string; label: string; secret?: boolean }> = ({ text, label, secret }) => (
  <div class={secret ? 'code secret' : 'code'}>
    <pre tabindex={0} role="group" aria-label={label}>
      <code>
        <Visible text={text} />
      </code>
    </pre>
    <button class="button button-small js-only" type="button" data-copy={shownText(text)} aria-label={`Copy: ${label}`}>
      Copy
    </button>
  </div>
)
