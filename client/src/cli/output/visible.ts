import { stripVTControlCharacters } from 'node:util'

/** C0 without tab and line feed, DEL, C1, and what turns the direction of text. */
// oxlint-disable-next-line no-control-regex -- these are the characters that a terminal obeys
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** A text of anybody's, safe on a terminal: it can neither move the cursor nor colour, hide or reorder anything. */
export const visible = (text: string): string =>
  stripVTControlCharacters(text).replaceAll('\r\n', '\n').replace(OBEYED, '\ufffd')

/** The same in one line. */
export const visibleLine = (text: string): string => visible(text).replace(/\s+/g, ' ').trim()

/** The text with each character that a terminal obeys in the form that JSON gives it. */
export const escaped = (text: string): string =>
  text.replace(OBEYED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** JSON that a terminal does not obey either: `JSON.stringify` leaves DEL, C1 and the marks of direction as they are. */
export const visibleJson = (value: unknown, space?: number): string => escaped(JSON.stringify(value, null, space))
