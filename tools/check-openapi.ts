import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Rules of the documents that keep generated clients compiling. Each fault names the generator that fails on it. */

type Json = Record<string, unknown>

interface Found {
  schema: Json
  path: string
}

/** The faults of docs/openapi.json and docs/asyncapi.json. */
export function checkOpenApi(root: string): string[] {
  const read = (file: string): Json => JSON.parse(readFileSync(join(root, file), 'utf8')) as Json
  return [
    ...openApiFaults(read('docs/openapi.json')).map((fault) => `docs/openapi.json: ${fault}`),
    ...asyncApiFaults(read('docs/asyncapi.json')).map((fault) => `docs/asyncapi.json: ${fault}`),
  ]
}

export function openApiFaults(document: Json): string[] {
  const schemas = objectAt(document, 'components', 'schemas')
  const operations = Object.entries(objectAt(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(asObject(methods)).map(([method, operation]) => ({
      operation: asObject(operation),
      path: `${method} ${path}`,
    })),
  )
  const bodies = operations.flatMap(({ operation, path }) => contentOf(operation['requestBody'], path))
  const answers = operations.flatMap(({ operation, path }) =>
    Object.entries(objectAt(operation, 'responses')).flatMap(([status, answer]) =>
      contentOf(answer, `${path} ${status}`),
    ),
  )
  const parameters = operations.flatMap(({ operation, path }) =>
    listOf(operation['parameters']).map((one) => ({
      schema: objectAt(one, 'schema'),
      path: `${path} ${String(one['name'])}`,
    })),
  )
  const named = Object.entries(schemas).map(([path, schema]) => ({ schema: asObject(schema), path }))
  const fields = [...named, ...bodies, ...answers].flatMap(within)
  const all = [...fields, ...parameters.flatMap(within)]
  const forms = bodies.filter(({ type }) => type === 'application/x-www-form-urlencoded')
  return [
    ...all.filter(isListedBoolean).map(at('openapi-generator for Java cannot read an enumeration of a boolean')),
    ...all.filter(isNullListed).map(at('openapi-zod-client cannot read null within an enumeration')),
    ...fields.filter(hasDefault).map(at('openapi-typescript requires a field with a default. Say it in words')),
    ...parameters.filter(({ schema }) => isObject(schema['default'])).map(at('No default can be an object')),
    ...all.filter(hasEscapedSlash).map(at('openapi-zod-client does not take `\\/` in a pattern. Use `/` or `[/]`')),
    ...all.filter(isUnionOfFormats).map(at('openapi-generator for Java cannot read a union of a format and others')),
    ...forms.flatMap((form) => unionsOf(form, schemas)).map(at('A field of a form cannot be a union')),
    ...fields.flatMap(namesakes),
    ...collidingNames(Object.keys(schemas)),
  ]
}

/** Generators name types by the schemas of payloads, and AsyncAPI 3 has no older binding of HTTP. */
export function asyncApiFaults(document: Json): string[] {
  const messages = Object.entries(objectAt(document, 'components', 'messages'))
  const schemas = objectAt(document, 'components', 'schemas')
  const unnamed = messages.filter(([, message]) => !(nameOfRef(objectAt(message, 'payload')) in schemas))
  const operations = Object.entries(objectAt(document, 'channels')).flatMap(([path, channel]) =>
    ['subscribe', 'publish'].map((name) => ({ path, http: objectAt(channel, name, 'bindings', 'http') })),
  )
  const older = operations.filter(({ http }) => 'type' in http || http['bindingVersion'] === '0.1.0')
  return [
    ...unnamed.map(([name]) => `The payload of the message ${name} has no name. Refer to a schema of the components.`),
    ...older.map(
      ({ path }) => `AsyncAPI 3 does not take the HTTP binding of ${path}. Use version 0.2.0, without a type.`,
    ),
  ]
}

const at =
  (fault: string) =>
  ({ path }: Found): string =>
    `${path}: ${fault}.`

const isListedBoolean = ({ schema }: Found): boolean =>
  [schema['const'], ...listOf<unknown>(schema['enum'])].some((value) => typeof value === 'boolean')

const isNullListed = ({ schema }: Found): boolean => listOf<unknown>(schema['enum']).includes(null)

const hasDefault = ({ schema }: Found): boolean => 'default' in schema

const hasEscapedSlash = ({ schema: { pattern } }: Found): boolean =>
  typeof pattern === 'string' && pattern.includes(String.raw`\/`)

/** A union with null alone is a field that may be null. */
const isUnionOfFormats = ({ schema }: Found): boolean =>
  ['anyOf', 'oneOf'].some((union) => {
    const options = listOf(schema[union]).filter(({ type }) => type !== 'null')
    return options.length > 1 && options.some((option) => 'format' in option)
  })

function unionsOf({ schema, path }: Found, schemas: Json): Found[] {
  const form = '$ref' in schema ? asObject(schemas[nameOfRef(schema)]) : schema
  return Object.entries(objectAt(form, 'properties'))
    .map(([name, field]) => ({ schema: asObject(field), path: `${path} ${name}` }))
    .filter((field) => ['anyOf', 'oneOf'].some((union) => union in field.schema))
}

/** Fields that a language without `_` and without small letters at the beginning gives one name. */
function namesakes({ schema, path }: Found): string[] {
  return repeated(Object.keys(objectAt(schema, 'properties')).map(bare)).map(
    (name) => `${path}: Two fields have the name ${name} in languages that write names in one word.`,
  )
}

/** openapi-generator for Go calls the constructor of `ApiKey` `NewApiKey`. */
function collidingNames(names: readonly string[]): string[] {
  return [
    ...names
      .filter((name) => names.includes(`New${name}`))
      .map((name) => `New${name} is the constructor of ${name} in Go.`),
    ...repeated(names.map(bare)).map((name) => `Two schemas have the name ${name}, but for its case.`),
  ]
}

const bare = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()

const repeated = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) < index)),
]

/** A schema and those in it. */
function within({ schema, path }: Found): Found[] {
  const properties = Object.entries({ ...objectAt(schema, 'properties'), ...objectAt(schema, 'patternProperties') })
  const nested = ['items', 'additionalProperties', 'not', 'anyOf', 'oneOf', 'allOf'].flatMap((name) =>
    [schema[name]].flat().map((one): [string, unknown] => [name, one]),
  )
  const inner = [...properties, ...nested].filter(([, one]) => isObject(one))
  return [
    { schema, path },
    ...inner.flatMap(([name, one]) => within({ schema: asObject(one), path: `${path}.${name}` })),
  ]
}

const contentOf = (holder: unknown, path: string) =>
  Object.entries(objectAt(holder, 'content')).map(([type, media]) => ({
    type,
    schema: objectAt(media, 'schema'),
    path,
  }))

const nameOfRef = ({ $ref }: Json): string => (typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '')

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const asObject = (value: unknown): Json => (isObject(value) ? value : {})

const objectAt = (value: unknown, ...names: string[]): Json =>
  asObject(names.reduce<unknown>((holder, name) => asObject(holder)[name], value))

const listOf = <T = Json>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : [])
