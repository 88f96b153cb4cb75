import type { FC } from 'hono/jsx'
import type { PageContext } from '../page-context.ts'
import { Ask } from './ask.tsx'
import { PostForm, Select } from './fields.tsx'

const OVERLAPS = [
  { value: '3600', label: 'For one hour' },
  { value: '86400', label: 'For one day' },
  { value: '604800', label: 'For seven days' },
]

/** Rotates a secret. `overlap_seconds`: how long the old one still works; to end it at once asks first. */
export const RotateForm: FC<{ ctx: PageContext; action: string; what: string }> = ({ ctx, action, what }) => (
  <>
    <PostForm ctx={ctx} action={action} class="form-inline" creates>
      <Select name="overlap_seconds" label={`Keep the old ${what}`} options={OVERLAPS} value="86400" />
      <button class="button" type="submit">
        Rotate {what}
      </button>
    </PostForm>
    <div>
      <Ask
        ctx={ctx}
        action={action}
        verb={`Rotate and end the old ${what}`}
        question={`Rotate and end the old ${what} immediately?`}
        fields={{ overlap_seconds: '0' }}
        creates
      >
        <p>Anything that uses the old {what} is refused from its next request on. This cannot be undone.</p>
        <p>The new {what} is shown once, on the next page.</p>
      </Ask>
    </div>
  </>
)
