type Value = Record<string, unknown>

/** Some fields of a value in the text of an item: one string as it is, or several fields as one JSON object; and its length. */
export type Part = [field: string | null, length: number]

/** A value as an item holds it: what metadata cannot hold stands at the beginning of the text. */
export interface DividedValue {
  /** The fields that filters can read. */
  kept: Value
  parts: Part[]
  text: string
}

/** Metadata has at most so many bytes as JSON (contract §3). */
const MAX_METADATA_BYTES = 16 * 1_024
/** The kept fields have at most so many where others are moved, because the parts are named in metadata too. */
const MAX_KEPT_BYTES = 12 * 1_024
/** Metadata has eight levels (contract §3), of which two are above a field. */
const MAX_FIELD_LEVELS = 6
/** So many strings stand in the text as they are: the longest ones, of at least this length and with names of at most this. */
const MAX_STRINGS = 8
const MIN_STRING_LENGTH = 256
const MAX_NAME_LENGTH = 256
/** What metadata cannot hold: NUL, lone surrogates, numbers that JSON may not carry, a reserved name. */
const UNSTORABLE = /\\u0000|\\ud[89a-f]|\d{16}|"__proto__":/i
const STORABLE_TEXT = /^[^\0\p{Surrogate}]*$/u

/** Divides a value between metadata, which holds `reserved` too, and text. */
export function divided(value: Value, reserved: object): DividedValue {
  const reservedBytes = bytesOf(JSON.stringify(reserved))
  const fields = Object.entries(value).map(([name, field]) => ({
    name,
    field,
    json: JSON.stringify({ [name]: field }),
  }))
  fields.sort((a, b) => a.json.length - b.json.length)
  const storable = fields.filter(({ field, json }) => !UNSTORABLE.test(json) && levelsOf(field) <= MAX_FIELD_LEVELS)
  let bytes = reservedBytes
  const fitting = (most: number) => storable.filter(({ json }) => (bytes += bytesOf(json)) <= most)
  if (fitting(MAX_METADATA_BYTES).length === fields.length) return { kept: value, parts: [], text: '' }

  bytes = reservedBytes
  const kept = new Set(fitting(MAX_KEPT_BYTES))
  const moved = fields.filter((field) => !kept.has(field))
  const strings = moved.filter(isText).slice(-MAX_STRINGS)
  const others = moved.filter((field) => !strings.includes(field))
  const object = JSON.stringify(Object.fromEntries(others.map(({ name, field }) => [name, field])))
  const texts = [
    ...strings.map(({ name, field }) => ({ name, text: String(field) })),
    ...(others.length > 0 ? [{ name: null, text: object }] : []),
  ]
  return {
    kept: Object.fromEntries(Array.from(kept, ({ name, field }) => [name, field])),
    parts: texts.map(({ name, text }) => [name, text.length]),
    text: texts.map(({ text }) => text).join('\n'),
  }
}

const isText = ({ name, field }: { name: string; field: unknown }): boolean =>
  typeof field === 'string' &&
  field.length >= MIN_STRING_LENGTH &&
  name.length <= MAX_NAME_LENGTH &&
  STORABLE_TEXT.test(name + field)

/** The value that was divided. */
export function united(kept: Value, parts: readonly Part[], text: string): Value {
  let at = 0
  const moved = parts.map(([field, length]): Value => {
    const part = text.slice(at, at + length)
    at += length + 1
    return field === null ? (JSON.parse(part) as Value) : { [field]: part }
  })
  // Not assigned: a field that is called __proto__ is one like others.
  return Object.fromEntries([kept, ...moved].flatMap((fields) => Object.entries(fields)))
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

function levelsOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf))
}
