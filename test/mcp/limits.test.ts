/** @module-tag long */
import { expect, test } from 'vitest'
import { inOneInstant } from '../support/clock.ts'
import { rpc, useTool, type Sent } from '../support/mcp.ts'
import { call, newSession, newTenant } from '../support/world.ts'

const ping = (sent: Sent) => rpc('ping', {}, sent)
const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work))

test('contract §6: a handshake takes permits of the reads of its user, and none of its key', async () => {
  const { key } = await newTenant()
  await inOneInstant(async () => {
    const answers = await times(20, () => ping({ bearer: key }))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    const refused = await ping({ bearer: key })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.body.code).toBe('rate_limited')
    // The key's own five are untouched: a search acquires none of the reads.
    expect((await useTool('search_memories', { query: 'tea' }, { bearer: key })).isError).toBe(false)
  })
})

test('a key over its five a second still shakes hands: a refusal of one says nothing about the other', async () => {
  const { key } = await newTenant()
  await inOneInstant(async () => {
    await times(5, () => call('GET', '/v1/projects', { key }))
    expect((await call('GET', '/v1/projects', { key })).status).toBe(429)
    expect((await ping({ bearer: key })).status).toBe(200)
  })
})

test('a tool over its limit is an error of the tool that says how long to wait', async () => {
  const headers = await newSession(await newTenant())
  await inOneInstant(async () => {
    const found = await times(5, () => useTool('search_memories', { query: 'tea' }, { headers }))
    expect(found.map(({ isError }) => isError)).toEqual([false, false, false, false, false])
    const refused = await useTool('search', { query: 'tea' }, { headers })
    expect(refused).toMatchObject({ status: 200, isError: true })
    expect(refused.text).toContain('rate_limited')
    expect(refused.text).toContain('Wait 1 seconds')
    expect(refused.headers.get('ratelimit')).toContain('"memory.search";r=0')
  })
})

test('a tool counts against its key and against the operation, once each', async () => {
  const { key } = await newTenant()
  await inOneInstant(async () => {
    const { headers } = await useTool('get_memory', { id: 'mem_none' }, { bearer: key })
    expect(headers.get('ratelimit')).toBe('"api-key";r=4;t=1, "memory.retrieve";r=19;t=1')
    const answers = await times(4, () => useTool('list_projects', {}, { bearer: key }))
    expect(answers.every(({ isError }) => !isError)).toBe(true)
    expect((await useTool('whoami', {}, { bearer: key })).text).toContain('rate_limited')
  })
})

test.each([
  ['store_memory', 10, { content: 'tea' }],
  ['search_memories', 5, { query: 'tea' }],
  ['get_memory', 20, { id: 'mem_none' }],
  ['retire_memory', 10, { id: 'mem_none' }],
  ['restore_memory', 10, { id: 'mem_none' }],
  ['delete_memory', 10, { id: 'mem_none' }],
  ['update_memory', 10, { id: 'mem_none', content: 'tea' }],
  ['list_memories', 20, {}],
  ['list_projects', 20, {}],
  ['whoami', 20, {}],
  ['search', 5, { query: 'tea' }],
  ['fetch', 20, { id: 'mem_none' }],
])('%s has %i permits, those of REST', async (name, permits, args) => {
  const headers = await newSession(await newTenant())
  await inOneInstant(async () => {
    const before = await times(permits, () => useTool(name, args, { headers }))
    expect(before.filter(({ text }) => text.startsWith('rate_limited'))).toEqual([])
    expect((await useTool(name, args, { headers })).text).toContain('rate_limited')
  })
})

test('a resource over its limit is an error that says how long to wait', async () => {
  const headers = await newSession(await newTenant())
  await inOneInstant(async () => {
    await times(20, () => rpc('resources/read', { uri: 'memory://mem_none' }, { headers }))
    const { status, body } = await rpc('resources/read', { uri: 'memory://mem_none' }, { headers })
    expect(status).toBe(200)
    expect(body.error.data).toEqual({ code: 'rate_limited', retry_after: 1 })
  })
})

test('arguments that are not valid acquire a permit of the reads, so that they cost something', async () => {
  const { key } = await newTenant()
  await inOneInstant(async () => {
    const answers = await times(20, () => useTool('search_memories', { query: '' }, { bearer: key }))
    expect(answers.every(({ text }) => text.startsWith('validation_failed'))).toBe(true)
    expect((await rpc('tools/call', { name: 'search_memories', arguments: {} }, { bearer: key })).status).toBe(429)
  })
})

test('a handshake counts for usage, under a name of its own', async () => {
  const tenant = await newTenant()
  await ping({ bearer: tenant.key })
  const { status } = await call('GET', '/v1/usage', { headers: await newSession(tenant) })
  expect(status).toBe(200)
})
