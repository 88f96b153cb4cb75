/** Of a subject (contract §3). */
const MAX_SUBJECT = 256
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u

/** What a user of the source makes of an item. */
interface About {
  context: { subject?: string }
  note?: string
}

/** The user as the subject of an item, or a note if the service would refuse that subject. `name` is the field of the user. */
export function aboutUser(name: string, user: string | undefined): About {
  if (user === undefined) return { context: {} }
  if (Array.from(user.normalize('NFC')).length <= MAX_SUBJECT && PRINTABLE.test(user))
    return { context: { subject: user } }
  const why = `it has no subject, because its ${name} is not 1 to ${MAX_SUBJECT} printable characters`
  return { context: {}, note: `${why}: an erasure by subject does not find it` }
}
