import { expect, test } from 'vitest'
import { call, newTenant } from '../support/world.ts'

const { body: document } = await call('GET', '/api-reference/openapi.json')
const parameters = (path: string, method: string): string[] =>
  document.paths[path][method].parameters.filter((one: any) => one.in === 'header').map((one: any) => one.name)
const headers = (path: string, method: string, status: number): string[] =>
  Object.keys(document.paths[path][method].responses[status].headers)

test('a conditional operation documents its header, and answers with an ETag (contract §3)', () => {
  const item = '/v1/memory/items/{id}'
  expect(parameters(item, 'get')).toEqual(['If-None-Match'])
  expect(parameters(item, 'patch')).toEqual(['If-Match'])
  expect(parameters(item, 'delete')).toEqual(['If-Match'])
  for (const [method, status] of [
    ['get', 200],
    ['get', 304],
    ['patch', 200],
  ] as const)
    expect(headers(item, method, status), `${method} ${status}`).toContain('ETag')
  expect(headers(item, 'delete', 204)).not.toContain('ETag')
})

test('an operation with an Idempotency-Key documents the header that marks a replay (contract §1)', () => {
  expect(parameters('/api/projects', 'post')).toEqual(['Idempotency-Key'])
  expect(headers('/api/projects', 'post', 201)).toContain('Idempotent-Replayed')
  expect(headers('/v1/projects', 'get', 200)).not.toContain('Idempotent-Replayed')
})

test('JSON lines are documented as a file, with what a line is (contract §7)', () => {
  const lines = { type: 'string', format: 'binary', description: expect.stringContaining('per line') }
  const bodies = [
    document.paths['/v1/memory/import'].post.requestBody,
    document.paths['/v1/memory/export'].get.responses[200],
    document.paths['/v1/audit'].get.responses[200],
  ]
  for (const { content } of bodies) expect(content['application/x-ndjson'].schema).toEqual(lines)
  expect(Object.keys(bodies[2].content)).toEqual(['application/json', 'application/x-ndjson'])
})

test('a 401 documents its challenge, a 429 and a 503 the time to wait (contract §1, §2)', () => {
  expect(headers('/api/projects', 'post', 401)).toContain('WWW-Authenticate')
  for (const status of [429, 503]) expect(headers('/api/projects', 'post', status)).toContain('Retry-After')
})

test('the document begins with two calls by an API key that run, the second of them a search (contract §7)', async () => {
  const { key } = await newTenant()
  const commands = [...document.info.description.matchAll(/^curl (\S+)((?: \\\n {2}-[Hd] '[^']*')+)$/gm)]
  const answers = []
  for (const [, url, options] of commands) {
    const headers = [...options.matchAll(/-H '([^:]+): ([^']*)'/g)].map(([, name, value]) => [name, value])
    expect(headers[0]).toEqual(['X-API-Key', 'rck_YOUR_KEY'])
    const path = url.replace(document.servers[0].url, '')
    answers.push(
      await call('POST', path, {
        headers: { ...Object.fromEntries(headers), 'X-API-Key': key },
        raw: / -d '(.*)'/.exec(options)?.[1] ?? '',
      }),
    )
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 200])
  const [stored, found] = answers
  expect(found?.body.results.map((one: any) => one.id)).toEqual([stored?.body.id])
})

test('an operation that takes an API key names it first, and memory is the first section (contract §7)', () => {
  expect(Object.keys(document.components.securitySchemes)[0]).toBe('apiKey')
  expect(document.tags[0].name).toBe('memory')
  const operations = Object.values<any>(document.paths).flatMap((methods) => Object.values<any>(methods))
  expect(operations.find(({ tags }) => tags[0] === 'memory').operationId).toBe('storeMemory')
  const taking = operations.filter(({ security }) => security.some((one: object) => 'apiKey' in one))
  expect(taking.length).toBeGreaterThan(40)
  for (const { security, operationId } of taking) expect(security[0], operationId).toEqual({ apiKey: [] })
})

test('the reference begins with storing, finding and retrieving a memory', () => {
  const ofMemory = Object.entries<Record<string, { tags?: string[] }>>(document.paths).filter(([, operations]) =>
    Object.values(operations).some(({ tags }) => tags?.includes('memory')),
  )
  expect(document.tags[0].name).toBe('memory')
  expect(ofMemory.slice(0, 3).map(([path]) => path)).toEqual([
    '/api/memory/store',
    '/api/memory/search',
    '/api/memory/retrieve',
  ])
})

test('the reference installs our own clients, and has one placeholder for a key', async () => {
  const { description, 'x-scalar-sdk-installation': clients } = document.info
  expect(clients.map(({ lang }: { lang: string }) => lang)).toEqual(['TypeScript', 'Python'])
  const lines = description.match(/^(?:npm|pip) install .*$/gm)
  expect(lines).toHaveLength(2)
  for (const [nth, { description: how, source }] of clients.entries()) {
    expect(how).toContain(lines[nth])
    expect(how).toContain('http://recollect.test/client/versions.json')
    expect(source).toContain('http://recollect.test')
  }
  const page = (await call('GET', '/api-reference')).text
  for (const text of [description, page, ...clients.map(({ source }: { source: string }) => source)])
    expect([...text.matchAll(/rck_[\w…]+/g)].map(([key]) => key)).toContain('rck_YOUR_KEY')
  expect(description).not.toContain('rck_live_')
})
