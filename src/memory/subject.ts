import { text } from '../core/http/fields.ts'

const MAX_SUBJECT_CHARACTERS = 256

/** Neither control characters nor line and paragraph separators nor half a character. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u

/** The person or thing that an item is about. In NFC, so that one name is one subject. */
export const Subject = text(1, MAX_SUBJECT_CHARACTERS)
  .refine((value) => PRINTABLE.test(value), {
    message: 'must have only printable characters',
    params: { code: 'not_printable' },
  })
  .transform(inNormalForm)
  .meta({
    minLength: 1,
    maxLength: MAX_SUBJECT_CHARACTERS,
    description: 'The person or thing that the item is about, as a name or an id.',
  })

/** The form in which subjects are stored and compared. */
export function inNormalForm(subject: string): string {
  return subject.normalize('NFC')
}
