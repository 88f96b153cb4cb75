import { z } from 'zod'
import { isAppError } from '../../core/errors.ts'
import { parseAnyIntegers } from '../../core/http/body.ts'
import { refuseIntegers, unsafeIntegers } from '../../core/http/json/unsafe-integers.ts'

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null'

/**
 * The arguments of a tool as a model means them. A value of a kind that the schema takes stays, and so does a name that
 * it does not know. Otherwise a text is read as JSON, a list of one is made, and null or "" stands for nothing.
 */
export function asMeant(schema: z.ZodObject, given: object): object {
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => {
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined
    return [name, field instanceof z.ZodType ? valueFor(field, value) : value]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** The value that is meant for a field; undefined: none. */
function valueFor(field: z.ZodType, sent: unknown): unknown {
  const kinds = kindsOf(field)
  if (kinds.has(kindOf(sent)) && sent !== '') return sent
  const value = typeof sent === 'string' && !kinds.has('string') ? inText(sent, kinds) : sent
  const isBlank = value === null || value === ''
  if (isBlank && takes(field, undefined) && !takes(field, value)) return undefined
  return kinds.has('array') && isScalar(value) ? [value] : value
}

const takes = (field: z.ZodType, value: unknown): boolean => field.safeParse(value).success

const isScalar = (value: unknown): boolean => value !== null && typeof value !== 'object'

/** The value that a text holds as JSON, if it is null or of one of these kinds; otherwise the text. */
function inText(text: string, kinds: ReadonlySet<Kind>): unknown {
  const value = parsed(text)
  if (value !== null && (value === undefined || !kinds.has(kindOf(value)))) return text
  refuseIntegers(unsafeIntegers(text))
  return value
}

/** The value of a JSON text; undefined for a text that is none. */
function parsed(text: string): unknown {
  try {
    return parseAnyIntegers(text)
  } catch (error) {
    if (isAppError(error) && error.code === 'invalid_json') return undefined
    throw error
  }
}

/** The object that a text holds as JSON, `{}` for "" and null; otherwise the text. */
export const objectInText = (text: string): unknown => (text === '' ? {} : (inText(text, OBJECT) ?? {}))

const OBJECT: ReadonlySet<Kind> = new Set<Kind>(['object'])

/** The kind of a JSON value. */
function kindOf(value: unknown): Kind {
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  if (kind === 'string' || kind === 'number' || kind === 'boolean') return kind
  return value === null ? 'null' : 'object'
}

/** Each field is looked at once: its schema never changes. */
const known = new WeakMap<z.ZodType, ReadonlySet<Kind>>()

function kindsOf(field: z.ZodType): ReadonlySet<Kind> {
  const kinds = known.get(field) ?? new Set(kindsIn(z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })))
  known.set(field, kinds)
  return kinds
}

const EVERY: readonly Kind[] = ['string', 'number', 'boolean', 'object', 'array', 'null']

/** The kinds that a JSON schema takes. */
function kindsIn({ type, anyOf }: z.core.JSONSchema.BaseSchema): readonly Kind[] {
  if (anyOf) return anyOf.flatMap((option) => (typeof option === 'boolean' ? [] : kindsIn(option)))
  if (type === undefined) return EVERY
  return [type].flat().map((one) => (one === 'integer' ? 'number' : one))
}
