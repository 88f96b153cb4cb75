/** What the documents use of JSON Schema. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: (string | number | boolean)[]
  const?: string | number | boolean
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
  description?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

interface Content {
  content?: Record<string, { schema: Schema }>
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: Content
  responses: Record<string, Content>
  'x-idempotent'?: boolean
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

export const nameOfRef = (ref: string): string => ref.split('/').at(-1) ?? ''

/** `memory.created` and `rotate-secret` as the name of a class. */
export const pascal = (name: string): string =>
  name.replaceAll(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, __, letter: string) => letter.toUpperCase())

/** `deleteMany` as the name of a function. */
export const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
