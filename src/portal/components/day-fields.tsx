import type { FC } from 'hono/jsx'
import { ZONE, zoneOf } from '../days.ts'
import type { PageContext } from '../page-context.ts'
import { Field } from './fields.tsx'

interface DayFieldsProps {
  ctx: PageContext
  /** Each a field of the form. */
  days: readonly { name: string; label: string; id?: string; value?: string; required?: boolean }[]
}

/**
 * Days of the reader's time zone. The script fills the zone in and takes its name from the labels. Days that were chosen in
 * another zone stay there, and the labels name it.
 */
export const DayFields: FC<DayFieldsProps> = ({ ctx, days }) => {
  const asked = ctx.form.text(ZONE) || (ctx.url.searchParams.get(ZONE) ?? '')
  const zone = zoneOf(asked)
  return (
    <>
      <input type="hidden" name={ZONE} value={asked === '' ? '' : zone} data-zone-field />
      {days.map((day) => (
        <Field {...day} type="date" note={<span data-day-zone> ({zone})</span>} />
      ))}
    </>
  )
}
