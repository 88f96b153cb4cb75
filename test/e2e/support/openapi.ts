import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Server } from './server.ts'

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  maxProperties?: number
  minProperties?: number
  propertyNames?: Schema
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  contentSchema?: Schema
  dependentRequired?: Record<string, string[]>
}

export interface Parameter {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  schema: Schema & { example?: unknown; examples?: unknown[] }
  example?: unknown
}

type Content = Record<string, { schema: Schema; example?: unknown }>

export interface Operation {
  /** `get /v1/projects`. */
  name: string
  method: string
  path: string
  operationId: string
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content; links?: Record<string, { operationId: string; parameters: object }> }>
  'x-refusals'?: Record<string, string>
}

export interface Document {
  operations: Operation[]
  schemas: Record<string, Schema>
  /** What is wrong with a value by a schema of the document; null for nothing. */
  fault(schema: Schema, value: unknown): string | null
}

/** The document that a server serves of itself. */
export async function documentOf(server: Pick<Server, 'url'>): Promise<Document> {
  const answer = await fetch(`${server.url}/api-reference/openapi.json`)
  const document = (await answer.json()) as {
    paths: Record<string, Record<string, Omit<Operation, 'name' | 'method' | 'path'>>>
    components: { schemas: Record<string, Schema> }
  }
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'document')
  const resolved = new WeakMap<Schema, (value: unknown) => boolean>()
  return {
    operations: Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, method, path, ...operation })),
    ),
    schemas: document.components.schemas,
    fault: (schema, value) => {
      let validate = resolved.get(schema)
      if (!validate) resolved.set(schema, (validate = ajv.compile(absolute(schema) as object)))
      return validate(value) ? null : ajv.errorsText((validate as { errors?: never[] | null }).errors ?? [])
    },
  }
}

/** The schema with references into the whole document. */
const absolute = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as unknown
