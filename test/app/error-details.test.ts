import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { addKey, call, newSession, newTenant } from '../support/world.ts'

/** An error says which field, which bound and what to do, so that nobody has to look it up. */

interface Fault {
  path: string
  code: string
  message: string
}

async function refusedBody(path: string, body: unknown, method = 'POST'): Promise<{ detail: string; errors: Fault[] }> {
  const { key } = await newTenant()
  const answer = await call(method, path, { key, body })
  expect(answer.status, answer.text).toBe(422)
  return answer.body
}

describe('contract §1: `detail` names the field and what it takes', () => {
  test.each<[string, unknown, string]>([
    ['/api/memory/store', {}, 'content is missing: a string of 1 to 65536 characters or an object.'],
    ['/api/memory/store', { content: 7 }, 'content must be a string of 1 to 65536 characters or an object, not 7.'],
    ['/api/memory/store', { content: {} }, 'content.text is missing: a string of 1 to 65536 characters.'],
    ['/api/memory/store', { content: '' }, 'content must have 1 to 65536 characters.'],
    ['/api/memory/store', { content: 'x', ttl: 0 }, 'ttl must be a whole number from 1 to 315360000, not 0.'],
    ['/api/memory/store', { content: 'x', ttl: '60' }, 'ttl must be a whole number from 1 to 315360000, not a string.'],
    ['/api/memory/store', { content: 'x', tags: 'ada' }, 'tags must be a list of at most 32 entries, not a string.'],
    ['/api/memory/store', { content: 'x', tags: ['a', ''] }, 'tags.1 must have 1 to 64 characters.'],
    ['/api/memory/store', { content: 'x', tag: ['a'] }, 'Unknown field "tag". Did you mean "tags"?'],
    ['/api/memory/store', { content: { txt: 'x', text: 'x' } }, 'Unknown field "content.txt". Did you mean "text"?'],
    [
      '/api/memory/store',
      { content: 'x', context: { scope: 'projekt' } },
      'context.scope must be one of global, project, conversation, document, session. Did you mean "project"?',
    ],
    ['/api/memory/search', { query: 'x', limit: 1_000 }, 'limit must be a whole number from 1 to 100, not 1000.'],
    [
      '/api/memory/search',
      { query: 'x', mode: 'hybird' },
      'mode must be one of hybrid, semantic, keyword. Did you mean "hybrid"?',
    ],
    ['/api/memory/search', { query: 'x', filters: { tag: ['a'] } }, 'Unknown filter "tag". Did you mean "tags"?'],
    ['/api/memory/batch', { operations: [] }, 'operations must be a list of 1 to 50 entries, not 0.'],
  ])('%s %j', async (path, body, detail) => {
    const refused = await refusedBody(path, body)
    expect(refused.detail).toContain(detail)
    expect(refused.errors).toHaveLength(1)
  })

  test.each<[string, Record<string, unknown>, string]>([
    [
      '/api/memory/store',
      { user_id: 'ada' },
      'Unknown field "user_id". For the memories of a user, use context.namespace.',
    ],
    [
      '/api/memory/store',
      { agent_id: 'a' },
      'Unknown field "agent_id". For the memories of an agent, use context.namespace.',
    ],
    [
      '/api/memory/store',
      { run_id: 'a' },
      'Unknown field "run_id". For the memories of a run, use context.session_id.',
    ],
    ['/api/memory/store', { containerTag: 'a' }, 'Unknown field "containerTag". Use context.namespace.'],
    ['/api/memory/store', { metadata: {} }, 'Unknown field "metadata". Use content.metadata.'],
    ['/api/memory/store', { namespace: 'a' }, 'Unknown field "namespace". Use context.namespace.'],
    ['/api/memory/store', { expires_at: 'a' }, 'Unknown field "expires_at". Use ttl, in seconds from now.'],
    ['/api/memory/store', { messages: [] }, 'Store each message by itself, with its text as content.'],
    ['/api/memory/store', { context: { user_id: 'a' } }, 'For the memories of a user, use context.namespace.'],
    ['/api/memory/search', { query: 'x', top_k: 3 }, 'Unknown field "top_k". Use limit.'],
    ['/api/memory/search', { query: 'x', user_id: 'ada' }, 'For the memories of a user, use context.namespace.'],
  ])('a name of another service gets a hint: %s %j', async (path, sent, message) => {
    const content = path.endsWith('/store') ? { content: 'x' } : {}
    const refused = await refusedBody(path, { ...content, ...sent })
    expect(refused.errors.map((fault) => fault.message).join(' ')).toContain(message)
  })

  test('a hint names only what the operation takes, and in a query the parameter', async () => {
    const { key } = await newTenant()
    const detailOf = async (path: string) => (await call('GET', path, { key })).body.detail
    expect(await detailOf('/v1/memory/items?user_id=a')).toBe(
      'Unknown field "user_id". For the memories of a user, use namespace.',
    )
    expect(await detailOf('/v1/memory/items?top_k=3')).toBe('Unknown field "top_k". Use limit.')
    expect(await detailOf('/v1/projects?user_id=a')).toBe('Unknown field "user_id".')
    expect(await detailOf('/v1/memory/items?metadata=a')).toBe('Unknown field "metadata".')
  })

  test('a query parameter is named with its bound, too', async () => {
    const { key } = await newTenant()
    const detailOf = async (query: string) => (await call('GET', `/v1/memory/items?${query}`, { key })).body.detail
    expect(await detailOf('limit=500')).toBe('limit must be a whole number from 1 to 100, not 500.')
    expect(await detailOf('limit=ten')).toBe('limit must be a whole number from 1 to 100.')
    expect(await detailOf('tagz=a')).toBe('Unknown field "tagz". Did you mean "tags"?')
    expect(await detailOf('created_after=yesterday')).toContain('created_after must be a date and a time with Z')
  })

  test('an operation of a batch says the same', async () => {
    const { key } = await newTenant()
    const { body } = await call('POST', '/api/memory/batch', {
      key,
      body: { operations: [{ op: 'stroe' }, { op: 'store' }, { op: 'store', content: 'x', user_id: 'ada' }] },
    })
    expect(body.results.map(({ error }: { error: { detail: string } }) => error.detail)).toEqual([
      'op must be one of store, update, delete, retire, restore, retrieve. Did you mean "store"?',
      'content is missing: a string of 1 to 65536 characters or an object.',
      'Unknown field "user_id". For the memories of a user, use context.namespace.',
    ])
  })

  test('each of several faults stands in `errors`, and the first in `detail`', async () => {
    const { detail, errors } = await refusedBody('/api/memory/store', { content: 'x', ttl: 0, tags: 1 })
    expect(errors.map(({ path }) => path).sort()).toEqual(['tags', 'ttl'])
    expect(errors.map(({ message }) => message)).toContain(detail)
  })

  test('of fifty thousand misspelt names fifty are told', async () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`tag${n.toString(36)}`, 1]))
    const { errors } = await refusedBody('/api/memory/store', { content: 'x', ...many })
    expect(errors).toHaveLength(50)
  })
})

describe('events', () => {
  const delivery = { method: 'webhook', url: 'https://example.com/hook' }

  test.each<[string, object, string]>([
    ['a type that is misspelt', { channels: ['memory'], events: ['memory.create'] }, 'Did you mean "memory.created"?'],
    ['a type of another channel', { channels: ['memory'], events: ['message.new'] }, 'Its channel is "conversation".'],
    ['a channel that is misspelt', { channels: ['Memory'] }, 'Did you mean "memory"?'],
    ['a type that is no name', { channels: ['memory'], events: ['memory-created'] }, 'Did you mean "memory.created"?'],
  ])('%s', async (_, interest, hint) => {
    expect((await refusedBody('/api/events/subscriptions', { ...interest, delivery })).detail).toContain(hint)
  })

  test('a publication without a channel names the type that was meant', async () => {
    const { detail } = await refusedBody('/api/events/publish', { type: 'message.nwe', data: {} })
    expect(detail).toBe('Your own event types need a channel. Did you mean "message.new"?')
  })
})

test('an id of another kind is the same 404, and says of what it is', async () => {
  const tenant = await newTenant()
  const { projectId, workspaceId } = tenant
  const headers = await newSession(tenant)
  const detailOf = async (path: string, method = 'GET') => {
    const answer = await call(method, path, { headers })
    expect(answer.status).toBe(404)
    return answer.body.detail
  }
  const wrong = `No such memory item. prj_… is the id of a project; the id of a memory item begins with mem_.`
  expect(await detailOf(`/v1/memory/items/${projectId}`)).toBe(wrong)
  // Whether the project exists makes no difference.
  expect(await detailOf('/v1/memory/items/prj_00000000000000000000000000')).toBe(wrong)
  expect(await detailOf(`/api/memory/retrieve?id=${projectId}`)).toBe(wrong)
  expect(await detailOf(`/api/projects/${workspaceId}`, 'DELETE')).toContain('wsp_… is the id of a workspace')
  expect(await detailOf('/v1/memory/items/mem_00000000000000000000000000')).toBe('No such memory item.')
  expect(await detailOf('/v1/memory/items/anything')).toBe('No such memory item.')
})

describe('credentials', () => {
  const detailOf = async (headers: Record<string, string>) => {
    const answer = await call('GET', '/v1/projects', { headers })
    expect(answer.status).toBe(401)
    return answer.body.detail
  }

  test('one in the header of another kind is told its own, whether it is valid or not', async () => {
    const tenant = await newTenant()
    const session = await newSession(tenant)
    const inKeyHeader = 'This is an API key: send it in the header X-API-Key.'
    expect(await detailOf({ Authorization: `Bearer ${tenant.key}` })).toBe(inKeyHeader)
    expect(await detailOf({ Authorization: 'Bearer rck_live_made-up' })).toBe(inKeyHeader)
    expect(await detailOf({ 'X-Session-Token': tenant.key })).toBe(inKeyHeader)
    expect(await detailOf({ 'X-API-Key': session['X-Session-Token'] })).toContain('X-Session-Token')
    expect(await detailOf({ 'X-API-Key': 'rcr_made-up' })).toContain('refresh token')
    expect(await detailOf({ Authorization: tenant.key })).toContain('Bearer, a space')
    expect(await detailOf({ 'X-API-Key': '' })).toBe('The credential is empty.')
  })

  test('a key of another service, a test key or a live one, is told where it may be from', async () => {
    const { key } = await newTenant()
    const unknown = await detailOf({ 'X-API-Key': `rck_test_${key.slice('rck_live_'.length)}` })
    expect(unknown).toContain('works only with the service that created it')
    expect(await detailOf({ 'X-API-Key': 'sk-of-another-product' })).toBe(unknown)
  })

  test('a missing scope is told beside those that the key has, and a missing session how to get one', async () => {
    const { key } = await newTenant({ scopes: ['read:memory'] })
    const { body } = await call('POST', '/api/memory/store', { key, body: { content: 'x' } })
    expect(body.detail).toBe('This request needs the scope write:memory; the credential has read:memory.')
    const { body: refused } = await call('GET', '/v1/sessions', { key })
    expect(refused.detail).toContain('POST /auth/login')
  })
})

describe('limits', () => {
  test('an error names the limit that was hit, and not those that had room', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    onTestFinished(() => void vi.useRealTimers())
    const tenant = await newTenant()
    const second = await addKey(tenant)
    const search = (key: string) => call('POST', '/api/memory/search', { key, body: { query: 'x', mode: 'keyword' } })
    // The key has five requests a second, the user five searches: another key of the user meets the second limit alone.
    for (let n = 0; n < LIMITS['api-key'].limit; n += 1) expect((await search(tenant.key)).status).toBe(200)
    const byUser = await search(second.secret)
    expect(byUser.status).toBe(429)
    expect(byUser.body.detail).toBe('Too many requests: at most 5 in 1 s per user (memory.search). Try again in 1 s.')
    // The headers still show every limit that applies.
    expect(byUser.headers.get('ratelimit-policy')).toContain('"api-key"')
    const list = await call('GET', '/v1/memory/items', { key: tenant.key })
    expect(list.body.detail).toBe('Too many requests: at most 5 in 1 s per API key (api-key). Try again in 1 s.')
  })
})
