import type { JsonSchema } from '../../core/http/json-schema.ts'

/** The filter language as JSON Schema, for the documents. `Filters` parses it (`src/memory/filter/filter.ts`). */

interface Bounds {
  instants: readonly string[]
  strings: readonly string[]
  /** Fields whose values are these alone. */
  enums: Readonly<Record<string, readonly string[]>>
  comparisons: readonly string[]
  maxConditions: number
  maxValues: number
  maxCharacters: number
}

const FILTERS = { $ref: '#/components/schemas/Filters' }
/** 1 to 8 names joined by dots, without characters that would end the quotes of a name. A dot of a name has a backslash. */
const METADATA_PATH = '^metadata(\\.([^."\\\\\\u0000-\\u001f\\u007f-\\u009f]|\\\\\\.){1,128}){1,8}$'
const SIGN = '^[<>]=?$'

export function filterSchema(bounds: Bounds): JsonSchema {
  const text: JsonSchema = { type: 'string', maxLength: bounds.maxCharacters }
  const scalar: JsonSchema = { anyOf: [text, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] }
  const oneOf = (items: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { in: { type: 'array', items, minItems: 1, maxItems: bounds.maxValues } },
    required: ['in'],
    additionalProperties: false,
  })
  const words = bounds.comparisons.filter((name) => !new RegExp(SIGN).test(name))
  const compared = (value: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(words.map((name) => [name, value])),
    // Generated clients turn each property into a name, and these signs give no name.
    patternProperties: { [SIGN]: value },
    propertyNames: { pattern: `${SIGN}|^(${words.join('|')})$` },
    minProperties: 1,
    additionalProperties: true,
  })
  const equals = (value: JsonSchema): JsonSchema => ({ anyOf: [value, oneOf(value)] })
  const list: JsonSchema = { type: 'array', items: FILTERS, minItems: 1, maxItems: bounds.maxConditions }
  const stringValue = (name: string): JsonSchema =>
    bounds.enums[name]
      ? { type: 'string', enum: [...bounds.enums[name]] }
      : { type: ['string', 'null'], maxLength: bounds.maxCharacters }
  const names = [...bounds.instants, ...bounds.strings, 'tags', 'tags_match', 'AND', 'OR', 'NOT']
  return {
    type: 'object',
    properties: {
      tags: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 64 },
        minItems: 1,
        maxItems: bounds.maxValues,
      },
      tags_match: { type: 'string', enum: ['any', 'all'] },
      ...Object.fromEntries(bounds.instants.map((name) => [name, compared({ type: 'string', format: 'date-time' })])),
      ...Object.fromEntries(bounds.strings.map((name) => [name, equals(stringValue(name))])),
      AND: list,
      OR: list,
      NOT: { anyOf: [FILTERS, list] },
    },
    patternProperties: {
      [METADATA_PATH]: { anyOf: [scalar, oneOf(scalar), compared({ anyOf: [text, { type: 'number' }] })] },
    },
    propertyNames: { pattern: `^(${names.join('|')}|metadata\\..+)$` },
    dependentRequired: { tags_match: ['tags'] },
    // Typed clients make an open object of it, which takes the paths of metadata; `propertyNames` closes it.
    additionalProperties: true,
  }
}
