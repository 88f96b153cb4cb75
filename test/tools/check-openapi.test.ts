import { expect, test } from 'vitest'
import { asyncApiFaults, checkOpenApi, openApiFaults } from '../../tools/check-openapi.ts'
import { ROOT } from '../../tools/wrangler.ts'

const withSchemas = (schemas: object) => openApiFaults({ components: { schemas } })

/** The faults of one operation. */
const withOperation = (operation: object, schemas = {}) =>
  openApiFaults({ components: { schemas }, paths: { '/x': { post: operation } } })

const body = (schema: object, type = 'application/json') => ({ requestBody: { content: { [type]: { schema } } } })
const FORM = 'application/x-www-form-urlencoded'

test('the documents of this version have no fault', () => {
  expect(checkOpenApi(ROOT)).toEqual([])
})

test.each([
  { type: 'boolean', enum: [true] },
  { type: 'boolean', const: true },
  { type: 'array', items: { type: 'boolean', enum: [false] } },
  { anyOf: [{ type: 'string' }, { type: 'boolean', enum: [true] }] },
])('an enumeration of a boolean is a fault, wherever it stands: %j', (field) => {
  const fault = /openapi-generator for Java cannot read an enumeration of a boolean/
  expect(withSchemas({ A: { type: 'object', properties: { field } } })).toEqual([expect.stringMatching(fault)])
  expect(withOperation(body({ type: 'object', properties: { field } }))).toEqual([expect.stringMatching(fault)])
  const answer = { responses: { 200: { content: { 'application/json': { schema: field } } } } }
  expect(withOperation(answer)).toEqual([expect.stringMatching(fault)])
  expect(withSchemas({ A: { type: 'object', properties: { enum: { type: 'string', enum: ['true'] } } } })).toEqual([])
})

test('null within an enumeration is a fault', () => {
  expect(withSchemas({ A: { type: ['string', 'null'], enum: ['a', null] } })).toEqual([
    'A: openapi-zod-client cannot read null within an enumeration.',
  ])
  expect(withSchemas({ A: { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] } })).toEqual([])
})

test.each([{}, 10, [], false])('a default of a field is a fault, and one of a parameter is none: %j', (value) => {
  const fields = { type: 'object', properties: { limit: { default: value } } }
  const fault = /limit: openapi-typescript requires a field with a default/
  expect(withSchemas({ A: fields })).toEqual([expect.stringMatching(fault)])
  expect(withOperation(body(fields))).toEqual([expect.stringMatching(fault)])
  expect(withOperation(body({ type: 'object', default: value }))).toHaveLength(1)
  const isObject = typeof value === 'object' && !Array.isArray(value)
  const parameters = [{ name: 'limit', in: 'query', schema: { default: value } }]
  expect(withOperation({ parameters })).toEqual(isObject ? ['post /x limit: No default can be an object.'] : [])
  expect(withSchemas({ A: { type: 'object', properties: { default: { type: 'string' } } } })).toEqual([])
})

test('a union in a form is a fault, also behind a reference, and one in JSON is none', () => {
  const schema = { type: 'object', properties: { resource: { anyOf: [{ type: 'string' }, { type: 'array' }] } } }
  expect(withOperation(body(schema, FORM))).toEqual(['post /x resource: A field of a form cannot be a union.'])
  const reference = { $ref: '#/components/schemas/Token' }
  expect(withOperation(body(reference, FORM), { Token: schema })).toHaveLength(1)
  expect(withOperation(body(schema))).toEqual([])
})

test('a union of a format and others is a fault, and one with null alone is none', () => {
  const url = { type: 'string', format: 'uri' }
  const withUnion = (...anyOf: object[]) => withSchemas({ A: { type: 'object', properties: { url: { anyOf } } } })
  expect(withUnion(url, { type: 'string' })).toHaveLength(1)
  expect(withUnion(url, { type: 'null' })).toEqual([])
})

test('a slash that a pattern escapes is a fault', () => {
  expect(withSchemas({ A: { type: 'string', pattern: String.raw`^text\/plain$` } })).toHaveLength(1)
  const parameters = [{ name: 'type', in: 'query', schema: { type: 'string', pattern: String.raw`\/` } }]
  expect(withOperation({ parameters })).toHaveLength(1)
  expect(withSchemas({ A: { type: 'string', pattern: '^text[/]plain$' } })).toEqual([])
})

test('schemas and fields that have one name in another language are a fault', () => {
  expect(withSchemas({ ApiKey: {}, NewApiKey: {} })).toEqual(['NewApiKey is the constructor of ApiKey in Go.'])
  expect(withSchemas({ ApiKey: {}, APIKey: {} })).toEqual(['Two schemas have the name apikey, but for its case.'])
  const properties = { user_id: {}, userId: {}, id: {} }
  expect(withSchemas({ A: { type: 'object', properties } })).toEqual([
    'A: Two fields have the name userid in languages that write names in one word.',
  ])
})

test('AsyncAPI: a payload without a name, and a binding that AsyncAPI 3 does not take, are faults', () => {
  const payload = { $ref: '#/components/schemas/Ping' }
  const documentOf = (message: object, http: object) => ({
    components: { messages: { ping: message }, schemas: { Ping: { type: 'object' } } },
    channels: { webhook: { subscribe: { bindings: { http } } } },
  })
  expect(asyncApiFaults(documentOf({ payload }, { method: 'POST', bindingVersion: '0.2.0' }))).toEqual([])
  expect(asyncApiFaults(documentOf({ payload: { type: 'object' } }, {}))).toHaveLength(1)
  expect(asyncApiFaults(documentOf({ payload: { $ref: '#/components/schemas/None' } }, {}))).toHaveLength(1)
  expect(asyncApiFaults(documentOf({ payload }, { type: 'request' }))).toHaveLength(1)
  expect(asyncApiFaults(documentOf({ payload }, { method: 'POST', bindingVersion: '0.1.0' }))).toHaveLength(1)
})
