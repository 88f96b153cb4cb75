import type { z } from 'zod'

/** A schema's definition as this file reads it. */
interface Definition {
  type: string
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
  entries?: Record<string, string | number>
  values?: readonly unknown[]
}

/** What a schema takes, in words: `a string of 1 to 64 characters or null`. */
export function expectedBy(schema: z.core.$ZodType | undefined): string {
  if (!schema) return 'a value'
  const definition: Definition = schema._zod.def
  const { type, innerType, options = [] } = definition
  if (type === 'string') return `a string${ofBounds(boundsOf(schema), 'characters')}`
  if (type === 'array') return `a list${ofBounds(boundsOf(schema), 'entries')}`
  if (type === 'number') return `${isWhole(schema) ? 'a whole number' : 'a number'}${fromBounds(boundsOf(schema))}`
  if (type === 'boolean') return 'true or false'
  if (type === 'enum') return `one of ${Object.values(definition.entries ?? {}).join(', ')}`
  if (type === 'literal') return (definition.values ?? []).map(String).join(' or ')
  if (type === 'union') return [...new Set(options.map(expectedBy))].join(' or ')
  if (type === 'pipe') return expectedBy(isTransform(definition.in) ? definition.out : definition.in)
  if (type === 'nullable') return `${expectedBy(innerType)} or null`
  if (innerType) return expectedBy(innerType)
  return type === 'object' || type === 'record' ? 'an object' : type === 'null' ? 'null' : 'a value'
}

/** The names that an object takes; none where any is taken. */
export const namesIn = (schema: unknown): string[] =>
  Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})

const isTransform = (schema: z.core.$ZodType | undefined): boolean => schema?._zod.def.type === 'transform'

/** A check of zod as zod describes it. */
interface Check {
  check: string
  format?: string
  value?: unknown
  minimum?: unknown
  maximum?: unknown
}

const checksOf = (schema: z.core.$ZodType): Check[] => (schema._zod.def.checks ?? []).map((one): Check => one._zod.def)

const isWhole = (schema: z.core.$ZodType): boolean =>
  [schema._zod.def, ...checksOf(schema)].some((one) => 'format' in one && one.format.includes('int'))

interface Bounds {
  least: number | undefined
  most: number | undefined
}

/** The bounds of a length or a number. Those of a text count code points, so they stand beside the schema (`fields.ts`). */
function boundsOf(schema: z.core.$ZodType): Bounds {
  const stated = (schema as z.ZodType).meta?.() ?? {}
  const checks = checksOf(schema)
  const valueOf = (kind: string): unknown => checks.find(({ check }) => check === kind)?.value
  const numberIn = (values: unknown[]): number | undefined => values.find((one) => typeof one === 'number')
  return {
    least: numberIn([stated['minLength'], valueOf('greater_than'), ...checks.map(({ minimum }) => minimum)]),
    most: numberIn([stated['maxLength'], valueOf('less_than'), ...checks.map(({ maximum }) => maximum)]),
  }
}

const ofBounds = (bounds: Bounds, unit: string): string => withBounds(' of', bounds, ` ${unit}`)
const fromBounds = (bounds: Bounds): string =>
  withBounds(bounds.least === undefined || bounds.most === undefined ? ' of' : ' from', bounds, '')

function withBounds(word: string, { least, most }: Bounds, unit: string): string {
  if (least !== undefined && most !== undefined) return `${word} ${least} to ${most}${unit}`
  if (least !== undefined) return `${word} at least ${least}${unit}`
  return most === undefined ? '' : `${word} at most ${most}${unit}`
}
