import type { FC } from 'hono/jsx'
import type { Guard } from '../../identity/index.ts'
import { Select } from '../components/fields.tsx'
import type { Form } from '../form.ts'

const MODES = [
  { value: 'off', label: 'Leave it' },
  { value: 'flag', label: 'Store it and warn' },
  { value: 'redact', label: 'Replace it' },
  { value: 'refuse', label: 'Refuse the write' },
]

/** What a form says of the guard. The API checks its words. */
export const guardIn = (form: Form) => ({
  secrets: { direct: form.text('direct'), unattended: form.text('unattended') },
  cards: form.text('cards'),
  ibans: form.text('ibans'),
})

/** The fields of the form that changes the guard of a project. */
export const GuardFields: FC<{ guard: Guard }> = ({ guard: { secrets, cards, ibans } }) => (
  <>
    <Select
      name="direct"
      label="Secrets in writes"
      options={MODES}
      value={secrets.direct}
      hint="Keys, tokens and passwords in what apps and agents store."
    />
    <Select
      name="unattended"
      label="Secrets in turns of conversations"
      options={MODES}
      value={secrets.unattended}
      hint="What is stored without anybody looking at it."
    />
    <Select name="cards" label="Card numbers" options={MODES} value={cards} />
    <Select name="ibans" label="Account numbers (IBAN)" options={MODES} value={ibans} />
  </>
)
