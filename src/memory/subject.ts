import { name } from '../core/http/fields.ts'

const MAX_SUBJECT_CHARACTERS = 256

/** Neither control characters nor line and paragraph separators nor half a character. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u

/** The person or thing that an item is about. */
export const Subject = name(MAX_SUBJECT_CHARACTERS)
  .refine((value) => PRINTABLE.test(value), {
    message: 'must have only printable characters',
    params: { code: 'not_printable' },
  })
  .meta({
    minLength: 1,
    maxLength: MAX_SUBJECT_CHARACTERS,
    description: 'The person or thing that the item is about, as a name or an id.',
  })
