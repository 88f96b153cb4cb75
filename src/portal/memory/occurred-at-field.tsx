import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import { Field } from '../components/fields.tsx'
import { errorAt } from '../form.ts'

/** When an item happened, in UTC: the browser's field has no zone. `step` keeps the milliseconds of an item. */
export const OccurredAtField: FC<{ value: string; error: AppError | null }> = ({ value, error }) => (
  <Field
    name="occurred_at"
    label="Happened at (UTC)"
    type="datetime-local"
    step="0.001"
    hint="Optional: when it happened, if not now."
    value={value}
    error={errorAt(error, 'occurred_at')}
  />
)
