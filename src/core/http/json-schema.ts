import { z } from 'zod'

type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'

/** The parts of JSON Schema (2020-12) that the documents write by hand. */
export interface JsonSchema {
  $ref?: string
  type?: JsonType | JsonType[]
  enum?: unknown[]
  minLength?: number
  maxLength?: number
  format?: string
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  propertyNames?: { pattern: string }
  required?: string[]
  dependentRequired?: Record<string, string[]>
  minProperties?: number
  additionalProperties?: boolean
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  [extension: `x-${string}`]: unknown
}

/** The input of a schema as JSON Schema, for a place of the documents where the schema itself cannot stand. */
export const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))) as JsonSchema
