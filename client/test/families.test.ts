import { describe, expect, test } from 'vitest'
import document from '../../docs/openapi.json'
import * as tables from '../src/families.ts'
import { clientOf, json } from './support.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: { type?: string; items?: object }
}

interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { example?: object }> }
}

type Invoke = (...args: unknown[]) => Promise<unknown>

const operations: Record<string, Record<string, Operation>> = document.paths as never

/** Each function of each family, with the operation that its table names. */
const FUNCTIONS = Object.entries(tables).flatMap(([table, functions]) =>
  typeof functions === 'function'
    ? []
    : Object.entries(functions).map(([name, text]) => {
        const [method = '', path = '', input] = text.split(' ')
        return { family: table.toLowerCase(), name, method, path, input }
      }),
)

const FAMILIES = [...new Set(FUNCTIONS.map(({ family }) => family))]

function operationOf({ method, path }: { method: string; path: string }) {
  const { parameters = [], requestBody } = operations[path]?.[method.toLowerCase()] ?? {}
  const named = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  return { ids: named('path'), query: named('query'), body: requestBody }
}

const invokeOf = (client: object, family: string, name: string): Invoke => {
  const functions: Record<string, Invoke> = Reflect.get(client, family)
  return functions[name]!
}

test('the client has the families that are promised, each with its functions and no other', () => {
  expect(FAMILIES.sort()).toEqual(
    'apps audit conversations deliveries erasures events keys me members memory projects subscriptions usage workspaces'.split(
      ' ',
    ),
  )
  const { client } = clientOf([])
  for (const family of FAMILIES) {
    const names = FUNCTIONS.filter((one) => one.family === family).map(({ name }) => name)
    expect(Object.keys(Reflect.get(client, family) as object).sort(), family).toEqual(names.sort())
  }
})

/** Ids that a path takes for something else unless they are escaped. */
const idAt = (n: number) => `id ${n}/ä?`

describe.each(FUNCTIONS)('$family: $name', (one) => {
  const { family, name, method, path, input } = one
  const { ids, query, body } = operationOf(one)

  test('takes a query or a body as the document says', () => {
    expect(operations[path]?.[method.toLowerCase()]).toBeDefined()
    expect(input).toBe(body ? 'body' : query.length > 0 ? 'query' : undefined)
    // A function has one of both: an operation with both would be out of its reach.
    expect(body !== undefined && query.length > 0).toBe(false)
  })

  test('sends the ids in order, then its input, then the options', async () => {
    const reply = { id: 'answered', data: [], next_cursor: null }
    const { client, sent } = clientOf([json(reply)])
    const given = ids.map((_, n) => idAt(n))
    const pairs = query.flatMap(({ name: parameter, schema }) =>
      (schema.type === 'array' || schema.items ? ['one & two', 'three'] : ['one & two']).map((value) => [
        parameter,
        value,
      ]),
    )
    const asked = Object.fromEntries(
      query.map(({ name: parameter }) => {
        const values = pairs.filter(([key]) => key === parameter).map(([, value]) => value)
        return [parameter, values.length === 1 ? values[0] : values]
      }),
    )
    const content = Object.values(body?.content ?? {})[0]?.example ?? { probe: 'ä' }
    const options = { headers: { 'X-Probe': name }, ifVersion: 7, idempotencyKey: 'mine' }
    const args = [...given, ...(input === undefined ? [] : [input === 'body' ? content : asked]), options]

    expect(await invokeOf(client, family, name)(...args)).toEqual(reply)
    expect(sent).toHaveLength(1)
    const { url, headers, method: verb } = sent[0]!
    const { pathname, searchParams } = new URL(url)
    expect(verb).toBe(method)
    const places = path.split('/').map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1])
    // The document lists the ids as they stand in the path.
    expect(places.filter((place) => place !== undefined)).toEqual(ids.map((parameter) => parameter.name))
    expect(pathname.split('/').map(decodeURIComponent)).toEqual(
      path.split('/').map((segment, n) => {
        const place = ids.findIndex((parameter) => parameter.name === places[n])
        return place < 0 ? segment : idAt(place)
      }),
    )
    expect([...searchParams]).toEqual(input === 'query' ? pairs : [])
    const text = await sent[0]!.text()
    expect(text === '' ? undefined : JSON.parse(text)).toEqual(input === 'body' ? content : undefined)
    expect(headers.get('x-probe')).toBe(name)
    expect(headers.get('if-match')).toBe('"7"')
    expect(headers.get('idempotency-key')).toBe('mine')
  })

  test('refuses an id that is missing or leads elsewhere, and sends nothing', async () => {
    const { client, sent } = clientOf([json({})])
    for (const wrong of [undefined, '', '.', '..']) {
      for (const place of ids.keys()) {
        const given = ids.map((_, n) => (n === place ? wrong : idAt(n)))
        const call = async () => invokeOf(client, family, name)(...given)
        await expect(call(), `${wrong} at ${place}`).rejects.toThrow(TypeError)
      }
    }
    expect(sent).toEqual([])
  })
})
