import { expect, test } from 'vitest'
import { Recollect } from 'recollect'
import { SCOPES } from '../../src/core/context.ts'
import { OTHERS, tryIt } from '../../src/portal/keys/try-it.ts'
import { pythonLiteral, typeScriptLiteral } from '../../src/portal/snippets/literals.ts'
import { requestSnippets } from '../../src/portal/snippets/requests.ts'
import { addKey, call, newTenant } from '../support/world.ts'

const ORIGIN = 'https://memory.example'

test.each([
  ['it', `'it'`, '"it"'],
  ["it's", `"it's"`, `"it's"`],
  ['a "b" \\ \n', String.raw`"a \"b\" \\ \n"`, String.raw`"a \"b\" \\ \n"`],
  [[1, true, null], '[1, true, null]', '[1, True, None]'],
  [{ a: { 'b-c': ['x'] } }, `{ a: { 'b-c': ['x'] } }`, '{"a": {"b-c": ["x"]}}'],
])('%j as TypeScript and as Python', (value, typeScript, python) => {
  expect([typeScriptLiteral(value), pythonLiteral(value)]).toEqual([typeScript, python])
})

test('a request is the same in each language, with its key and its body', () => {
  const body = { query: "who's allergic?", context: { project_id: 'prj_1' } }
  const request = { path: '/api/memory/search', call: 'memory.search', body }
  const [curl, typeScript, python] = requestSnippets(ORIGIN, request, 'rck_test_x').map(({ text }) => text)
  expect(curl).toBe(
    [
      `curl ${ORIGIN}/api/memory/search`,
      `-H 'X-API-Key: rck_test_x'`,
      `-H 'Content-Type: application/json'`,
      `-d '{"query":"who'\\''s allergic?","context":{"project_id":"prj_1"}}'`,
    ].join(' \\\n  '),
  )
  expect(typeScript).toContain(`credential: { apiKey: 'rck_test_x' }`)
  expect(typeScript).toContain(
    `recollect.memory.search({ query: "who's allergic?", context: { project_id: 'prj_1' } })`,
  )
  expect(python).toContain('Recollect("https://memory.example", api_key="rck_test_x")')
  expect(python).toContain(`client.memory.search(query="who's allergic?", context={"project_id": "prj_1"})`)
})

test('there is a request for every scope', () => {
  const scopes = ['read:memory', 'write:memory', ...OTHERS.map(([scope]) => scope)]
  expect(scopes.toSorted()).toEqual(SCOPES.toSorted())
})

test.each(OTHERS)('a key with %s alone is tried with a request that works', async (scope, request) => {
  const tenant = await newTenant()
  const { secret } = await addKey(tenant, { scopes: [scope] })
  const texts = tryIt(ORIGIN, { scopes: [scope], permissions: null }, secret).map(({ text }) => text)
  const { path, body, call: method } = request
  expect(texts[0]).toContain(`${ORIGIN}${path} \\\n  -H 'X-API-Key: ${secret}'`)
  expect(texts[1]).toContain(`await recollect.${method}(${body ? typeScriptLiteral(body) : ''})`)
  const names = Object.entries(body ?? {}).map(([field, value]) => `${field}=${pythonLiteral(value)}`)
  expect(texts[2]).toContain(`client.${method}(${names.join(', ')})`)
  const verb = request.method ?? (body ? 'POST' : 'GET')
  expect((await call(verb, path, { key: secret, ...(body ? { body } : {}) })).status).toBeLessThan(300)
  const [family = '', name = ''] = method.split('.')
  const client: Record<string, Record<string, unknown>> = Object(new Recollect({ baseUrl: ORIGIN }))
  expect(typeof client[family]?.[name]).toBe('function')
})
