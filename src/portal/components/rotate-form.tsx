import type { FC } from 'hono/jsx'
import type { PageContext } from '../page-context.ts'
import { PostForm, Select } from './fields.tsx'

const OVERLAPS = [
  { value: '0', label: 'End it now' },
  { value: '3600', label: 'For one hour' },
  { value: '86400', label: 'For one day' },
  { value: '604800', label: 'For seven days' },
]

/** Rotates a secret. `overlap_seconds`: how long the old one still works. */
export const RotateForm: FC<{ ctx: PageContext; action: string; what: string }> = ({ ctx, action, what }) => (
  <PostForm ctx={ctx} action={action} class="form-inline" creates>
    <Select name="overlap_seconds" label={`Keep the old ${what}`} options={OVERLAPS} value="86400" />
    <button class="button" type="submit">
      Rotate {what}
    </button>
  </PostForm>
)
