import * as tables from '../../client/src/families.ts'
import { docstring } from './docstring.ts'
import type { Models } from './models.ts'
import { nameOfRef, pascal, snake, type Document, type Operation, type Parameter, type Schema } from './schema.ts'

/** A function of a family, as the table of both clients names it. */
interface Method {
  name: string
  method: string
  path: string
  input: string | undefined
  operation: Operation
}

const TABLES = Object.entries(tables).flatMap(([name, table]) => (typeof table === 'function' ? [] : [{ name, table }]))

/** Families with functions that are written by hand, in `_transfer.py` and `_events.py`. */
const BY_HAND: Record<string, string> = { MEMORY: 'Transfer', EVENTS: 'Listener', AUDIT: 'AuditLog' }

/** The classes of the families, for one of the clients. */
export function familiesOf(document: Document, models: Models, prefix: '' | 'Async'): string {
  return TABLES.map(({ name, table }) => {
    const base = BY_HAND[name] === undefined ? `${prefix}Family` : `${prefix}${BY_HAND[name]}`
    const methods = Object.entries(table).map(([method, text]) => methodOf(document, models, prefix, method, text))
    return `class ${prefix}${pascal(name.toLowerCase())}(${base}):\n${methods.join('\n')}`
  }).join('\n\n')
}

/** Declares what the functions written by hand take. */
export function declareByHand(document: Document, models: Models): void {
  const operation = document.paths['/v1/memory/export']?.['get']
  if (operation) declared(models, 'ExportMemoriesQuery', queryOf(document, operation))
}

/** The operations that take an `Idempotency-Key`. */
export function keyedPaths(document: Document): string[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) => (post?.['x-idempotent'] ? [path] : []))
}

function methodOf(document: Document, models: Models, prefix: string, name: string, text: string): string {
  const [method = '', path = '', input] = text.split(' ')
  const operation = document.paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`${text} is no operation of the document.`)
  return written(document, models, prefix, { name: snake(name), method, path, input, operation })
}

function written(document: Document, models: Models, prefix: string, one: Method): string {
  const { name, method, path, input, operation } = one
  const ids = Array.from(path.matchAll(/\{(\w+)\}/g), ([, id = '']) => id)
  const own = optionsOf(document, operation)
  const values = input === undefined ? undefined : inputOf(document, models, one)
  const parameters = [
    'self',
    ...ids.map((id) => `${id}: str`),
    '/',
    ...(own.length === 0 ? [] : ['*', ...own.map(({ name: option, type }) => `${option}: ${type} | None = None`)]),
    ...(values === undefined ? [] : [`**${input}: Unpack[${values}]`]),
  ]
  const reply = replyOf(models, operation)
  const tuple = ids.length === 1 ? `(${ids[0]},)` : `(${ids.join(', ')})`
  const given = [`"${method}"`, `"${path}"`, tuple, ...(input === undefined ? [] : [`${input}=${input}`])]
  const options = own.map(({ name: option }) => `${option}=${option}`)
  const about = docstring([`${operation.summary}.`, operation.description ?? ''].filter(Boolean).join('\n\n'), 8)
  const item = method === 'GET' ? listed(models, operation) : undefined
  if (item !== undefined)
    return `    def ${name}(${parameters.join(', ')}) -> ${prefix}Pages[${reply}, ${item}]:\n${about}        return self._pages(${given.slice(1).join(', ')})\n`
  const [define, wait] = prefix === '' ? ['def', ''] : ['async def', 'await ']
  const call = `${wait}self._call(${[...given, ...options].join(', ')})`
  const body = `        return ${call}\n`
  return `    ${define} ${name}(${parameters.join(', ')}) -> ${reply ?? 'None'}:\n${about}${body}`
}

function optionsOf(document: Document, { parameters = [] }: Operation): { name: string; type: string }[] {
  const headers = parameters.map((each) => resolved(document, each)).filter(({ in: place }) => place === 'header')
  const has = (header: string) => headers.some(({ name }) => name === header)
  return [
    ...(has('Idempotency-Key') ? [{ name: 'idempotency_key', type: 'str' }] : []),
    ...(has('If-Match') ? [{ name: 'if_version', type: 'int' }] : []),
  ]
}

const resolved = (document: Document, parameter: Parameter | { $ref: string }): Parameter => {
  if (!('$ref' in parameter)) return parameter
  const found = document.components.parameters?.[nameOfRef(parameter.$ref)]
  if (!found) throw new Error(`${parameter.$ref} is not there.`)
  return found
}

/** The TypedDict of a function's query or body. */
function inputOf(document: Document, models: Models, { input, operation }: Method): string {
  const place = pascal(operation.operationId)
  if (input === 'query') return `t.${declared(models, `${place}Query`, queryOf(document, operation))}`
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {}
  return `t.${schema.$ref ? nameOfRef(schema.$ref) : declared(models, `${place}Body`, schema)}`
}

/** `cursor` stays with the pages of a list. */
function queryOf(document: Document, { parameters = [], responses }: Operation): Schema {
  const isList = JSON.stringify(responses).includes('next_cursor')
  const query = parameters.map((each) => resolved(document, each)).filter(({ in: place }) => place === 'query')
  const kept = query.filter(({ name }) => !(isList && name === 'cursor'))
  return {
    type: 'object',
    properties: Object.fromEntries(
      kept.map(({ name, schema, description }) => [name, { ...schema, ...(description ? { description } : {}) }]),
    ),
    required: kept.filter(({ required }) => required).map(({ name }) => name),
  }
}

/** Both clients ask for the same types. */
function declared(models: Models, name: string, schema: Schema): string {
  models.declare(name, schema)
  return name
}

/** What a function returns; undefined for no content. */
function replyOf(models: Models, operation: Operation): string | undefined {
  const schemas = replies(operation)
  if (schemas.length === 0) return undefined
  const names = schemas.map((schema) =>
    schema.$ref ? nameOfRef(schema.$ref) : declared(models, `${pascal(operation.operationId)}Reply`, schema),
  )
  return [...new Set(names)].map((name) => `t.${name}`).join(' | ')
}

const replies = ({ responses }: Operation): Schema[] =>
  Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const schema = content['application/json']?.schema
    return status.startsWith('2') && schema ? [schema] : []
  })

/** The type of a page's items; undefined where the reply is no page. */
function listed(models: Models, operation: Operation): string | undefined {
  const [schema] = replies(operation)
  const page = schema?.$ref ? models.schemaOf(nameOfRef(schema.$ref)) : schema
  if (!page?.properties?.['next_cursor']) return undefined
  const items = Object.values(page.properties).find(({ type }) => type === 'array')?.items
  if (!items?.$ref) throw new Error(`The items of ${operation.operationId} have no name.`)
  return `t.${nameOfRef(items.$ref)}`
}
