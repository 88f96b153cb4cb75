import { expect, test } from 'vitest'
import { call } from '../support/world.ts'

const { body: document } = await call('GET', '/api-reference/openapi.json')

interface Operation {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: object
  responses: Record<string, { links?: Record<string, Link>; content?: Record<string, { schema: Schema }> }>
}
interface Link {
  operationId: string
  parameters: Record<string, string>
}
interface Schema {
  $ref?: string
  allOf?: Schema[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  pattern?: string
  required?: string[]
}

const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((methods) => Object.values(methods))
const byId = new Map(operations.map((operation) => [operation.operationId, operation]))
const LINKS = operations.flatMap(({ operationId, responses, parameters = [] }) =>
  Object.entries(responses).flatMap(([status, { links = {}, content = {} }]) =>
    Object.entries(links).map(([name, link]) => ({
      title: `${operationId} ${status} → ${name}`,
      name,
      link,
      parameters,
      schema: Object.values(content)[0]?.schema ?? {},
    })),
  ),
)

/** The members of an object that are always there. */
function members(schema: Schema): Record<string, Schema> {
  if (schema.$ref) return members(document.components.schemas[schema.$ref.replace('#/components/schemas/', '')])
  const own = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name))
  const [first, ...others] = (schema.anyOf ?? []).map(members)
  const ofEach = Object.entries(first ?? {}).filter(([name]) => others.every((other) => name in other))
  return Object.assign(Object.fromEntries([...own, ...ofEach]), ...(schema.allOf ?? []).map(members))
}

/** Whether an expression names an id that each answer has, or a part of the path. */
function resolves(expression: string, { schema, parameters }: (typeof LINKS)[number]): boolean {
  const [, member] = /^\$response\.body#\/(\w+)$/.exec(expression) ?? []
  if (member !== undefined) return /^\^[a-z]{3}_/.test(members(schema)[member]?.pattern ?? '')
  const [, parameter] = /^\$request\.path\.(\w+)$/.exec(expression) ?? []
  return parameters.some((one) => one.in === 'path' && one.name === parameter)
}

test.each(LINKS)('$title: the operation is there and takes what the answer has (contract §7)', (one) => {
  const { name, link } = one
  expect(link.operationId).toBe(name)
  const target = byId.get(link.operationId)
  const taken = (target?.parameters ?? []).filter((parameter) => parameter.in === 'path' || parameter.in === 'query')
  expect(taken.map((parameter) => parameter.name)).toEqual(expect.arrayContaining(Object.keys(link.parameters)))
  const required = taken.filter((parameter) => parameter.required).map((parameter) => parameter.name)
  expect(Object.keys(link.parameters)).toEqual(expect.arrayContaining(required))
  expect(Object.values(link.parameters).filter((expression) => !resolves(expression, one))).toEqual([])
})

test('what creates leads to what reads (contract §7)', () => {
  const leads = (id: string) =>
    Object.values(byId.get(id)?.responses ?? {}).flatMap(({ links }) => Object.keys(links ?? {}))
  expect(leads('storeMemory')).toContain('retrieveMemory')
  const created = operations.flatMap(({ operationId }) => /^create([A-Z]\w+)$/.exec(operationId)?.[1] ?? [])
  expect(created).toHaveLength(5)
  for (const thing of created) expect(leads(`create${thing}`), thing).toContain(`get${thing}`)
})
