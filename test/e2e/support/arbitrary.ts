import fc, { type Arbitrary } from 'fast-check'
import type { Schema } from './openapi.ts'

/** Identifiers that exist, by the name of the field that takes them. */
export type Known = (field: string) => readonly string[]

const MAX_LENGTH = 40
const MAX_ITEMS = 3
/** Names for patterns of names: those of metadata and of comparisons, the only ones of the document. */
const KEYS = [
  '>=',
  '<',
  'metadata.priority',
  'metadata.source.page',
  'metadata.größe und mehr',
  'metadata.a.b.c.d.e.f.g.h',
]
/** Filters hold filters. */
const MAX_DEPTH = 3

/** Values that a schema of the document takes, at its bounds and within them. */
export class Arbitraries {
  readonly #schemas: Record<string, Schema>
  readonly #known: Known

  constructor(schemas: Record<string, Schema>, known: Known) {
    this.#schemas = schemas
    this.#known = known
  }

  /** `field`: the name under which the value is sent. */
  of(schema: Schema, field = '', depth = 0): Arbitrary<unknown> {
    if (schema.$ref !== undefined)
      return this.of(this.#schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, field, depth)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    if ('const' in schema) return fc.constant(schema.const)
    const options = schema.anyOf ?? schema.oneOf
    if (options) return fc.oneof(...options.map((option) => this.of(option, field, depth)))
    if (schema.allOf) {
      const parts = schema.allOf.map((part) => this.of(part, field, depth))
      return fc.tuple(...parts).map((values) => Object.assign({}, ...(values as object[])) as object)
    }
    const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any']
    return fc.oneof(...types.map((type) => this.#typed(type, schema, field, depth)))
  }

  #typed(type: string, schema: Schema, field: string, depth: number): Arbitrary<unknown> {
    if (type === 'string') return this.#string(schema, field)
    if (type === 'boolean') return fc.boolean()
    if (type === 'null') return fc.constant(null)
    if (type === 'integer') return integer(schema)
    if (type === 'number')
      return fc.oneof(fc.double({ ...range(schema), noNaN: true }), fc.constantFrom(...ends(schema)))
    if (type === 'array') {
      const { minItems = 0, maxItems = MAX_ITEMS, items = {} } = schema
      const length = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, MAX_ITEMS)) }
      const member = this.of(items, field, depth + 1)
      return schema.uniqueItems
        ? fc.uniqueArray(member, { ...length, selector: (one) => JSON.stringify(one) })
        : fc.array(member, length)
    }
    if (type === 'object') return this.#object(schema, depth)
    return fc.jsonValue({ maxDepth: 2 })
  }

  #string(schema: Schema, field: string): Arbitrary<unknown> {
    if (schema.contentSchema) return this.of(schema.contentSchema, field).map((value) => JSON.stringify(value))
    const known = this.#known(field)
    const plain = text(schema)
    return known.length === 0 ? plain : fc.oneof(fc.constantFrom(...known), plain)
  }

  #object(schema: Schema, depth: number): Arbitrary<unknown> {
    const { properties = {}, required = [], additionalProperties } = schema
    const members = Object.fromEntries(
      Object.entries(properties)
        // Nested filters end somewhere.
        .filter(([name]) => depth < MAX_DEPTH || schema.minProperties !== undefined || required.includes(name))
        .map(([name, one]) => [name, this.of(one, name, depth + 1)]),
    )
    const named = fc
      .record(members, { requiredKeys: required })
      .map((made) => withoutOrphans(made, schema.dependentRequired ?? {}))
      .filter((made) => Object.keys(made).length >= (schema.minProperties ?? 0))
    const others = this.#others(schema, depth)
    if (!others || (additionalProperties === undefined && Object.keys(properties).length > 0)) return named
    return fc.tuple(named, others).map(([one, other]) => ({ ...other, ...one }))
  }

  #others({ additionalProperties, propertyNames, patternProperties, minProperties = 0 }: Schema, depth: number) {
    if (depth > 4) return null
    const [pattern] = Object.entries(patternProperties ?? {})
    const maxKeys = Math.max(2, minProperties)
    const size = { minKeys: minProperties, maxKeys }
    if (pattern) {
      const matching = KEYS.filter((key) => new RegExp(pattern[0], 'u').test(key))
      return fc.dictionary(fc.constantFrom(...matching), this.of(pattern[1], '', depth + 1), size)
    }
    if (additionalProperties === false) return null
    const names = propertyNames ? text(propertyNames) : fc.string({ minLength: 1, maxLength: 8 })
    const value =
      typeof additionalProperties === 'object' ? this.of(additionalProperties, '', depth + 1) : fc.jsonValue()
    return fc.dictionary(
      names.filter((name) => name !== '__proto__'),
      value,
      size,
    )
  }
}

/** The object without members whose companions it lacks. */
const withoutOrphans = (made: object, companions: Record<string, string[]>): object =>
  Object.fromEntries(
    Object.entries(made).filter(([name]) => (companions[name] ?? []).every((companion) => companion in made)),
  )

const FORMATS: Record<string, Arbitrary<string>> = {
  'date-time': fc
    .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2060-01-01T00:00:00Z'), noInvalidDate: true })
    .map((at) => at.toISOString()),
  email: fc.stringMatching(/^[a-z][a-z0-9_.+-]{0,8}[a-z]@[a-z]{2,8}\.(com|org)$/),
  uri: fc.webUrl({ validSchemes: ['https'] }),
}

/** Texts of the form, any Unicode among them, but for lone surrogates and NUL, which no JSON text of ours holds. */
function text({ minLength = 0, maxLength = MAX_LENGTH, pattern, format }: Schema): Arbitrary<string> {
  const form = format === undefined ? undefined : FORMATS[format]
  const made = form ?? (pattern === undefined ? undefined : fc.stringMatching(short(pattern)))
  const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, MAX_LENGTH)) }
  const fits = (value: string): boolean => {
    const characters = Array.from(value).length
    return characters >= minLength && characters <= maxLength && !value.includes('\0')
  }
  return (made ?? fc.string({ unit: 'grapheme', ...length })).filter(
    (value) => fits(value) && (pattern === undefined || new RegExp(pattern, 'u').test(value)),
  )
}

/** The pattern with quantifiers that make short texts. */
const short = (pattern: string): RegExp =>
  new RegExp(
    pattern.replaceAll(
      /\{(\d+),(\d+)\}/g,
      (_, least: string, most: string) => `{${least},${Math.max(+least, Math.min(+most, 8))}}`,
    ),
    'u',
  )

const range = ({ minimum = -1e6, maximum = 1e6 }: Schema): { min: number; max: number } => ({
  min: minimum,
  max: maximum,
})

const ends = (schema: Schema): [number, number] => [range(schema).min, range(schema).max]

const integer = (schema: Schema): Arbitrary<number> =>
  fc.oneof(fc.integer(range(schema)), fc.constantFrom(...ends(schema)))
