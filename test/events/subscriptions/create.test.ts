/** @module-tag long */
import { expect, test, vi } from 'vitest'
import { addKey, call, db, newTenant, type Tenant } from '../../support/world.ts'
import { request } from '../../support/webhooks.ts'

const url = 'https://hooks.example.com/in'
const create = (tenant: Tenant, body: object = {}) =>
  request(tenant, 'POST', '/api/events/subscriptions', {
    channels: ['conversation'],
    delivery: { method: 'webhook', url },
    ...body,
  })
const remaining = (headers: Headers) => Number(/"events\.subscribe";r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1])

test('POST /api/events/subscriptions answers 201 with the fields of contract §5', async () => {
  const { status, body } = await create(await newTenant(), {
    channels: ['conversation', 'memory'],
    events: ['message.new', 'memory.created'],
    filters: { conversation_id: 'c1', namespace: 'default' },
  })
  expect(status).toBe(201)
  expect(body).toEqual({
    subscription_id: expect.stringMatching(/^sub_/),
    channels: ['conversation', 'memory'],
    events: ['message.new', 'memory.created'],
    filters: { conversation_id: 'c1', namespace: 'default' },
    delivery: { method: 'webhook', url },
    created_at: expect.stringMatching(/Z$/),
    status: 'active',
    failing_since: null,
    last_attempt: null,
    last_success_at: null,
    waiting: 0,
  })
})

test.each<[string, object, string]>([
  ['a type outside the channels', { events: ['memory.created'] }, 'events.0'],
  ['a type that does not exist on the channel', { events: ['order.shipped'] }, 'events.0'],
  ['an unknown filter key', { filters: { user_id: 'u' } }, 'filters.user_id'],
  ['no channel', { channels: [] }, 'channels'],
  ['another method', { delivery: { method: 'websocket', url } }, 'delivery.method'],
  ['an unknown field', { secret: 'whsec_x' }, 'secret'],
  ['user info in the URL', { delivery: { method: 'webhook', url: 'https://u:p@example.com/' } }, 'delivery.url'],
  ['a URL of another scheme', { delivery: { method: 'webhook', url: 'ftp://example.com/' } }, 'delivery.url'],
])('%s is 422', async (_, body, path) => {
  const answer = await create(await newTenant(), body)
  expect({ status: answer.status, path: answer.body.errors?.[0].path }).toEqual({ status: 422, path })
})

test.each([
  ['conversations', 'conversation'],
  ['memroy', 'memory'],
  ['ofering', 'offering'],
  ['systems', 'system'],
])('contract §5: without types the channel %s is 422, and %s is named', async (misspelt, meant) => {
  const tenant = await newTenant()
  const { status, body } = await create(tenant, { channels: ['conversation', misspelt] })
  expect({ status, errors: body.errors }).toEqual({
    status: 422,
    errors: [
      {
        path: 'channels.1',
        code: 'misspelt_channel',
        message: expect.stringContaining(`Did you mean "${meant}"?`),
      },
    ],
  })
  // Refused, it holds nothing of the limit; with its types named it is a channel of the caller's own.
  const own = await create(tenant, { channels: [misspelt], events: ['order.shipped'] })
  expect({ status: own.status, channels: own.body.channels }).toEqual({ status: 201, channels: [misspelt] })
  expect((await create(tenant, { channels: ['orders'] })).status).toBe(201)
})

test.each([
  'Host',
  'Content-Length',
  'Connection',
  'Cookie',
  'Transfer-Encoding',
  'Upgrade',
  'User-Agent',
  'webhook-id',
  'Webhook-Signature',
  'CF-Connecting-IP',
  'X-Forwarded-For',
  'Proxy-Authorization',
  'Forwarded',
  'webhook_id',
  'Webhook_Signature',
  'content_length',
  'CF_Connecting_IP',
  'x_forwarded-for',
  'bad name',
  'x:y',
  '',
])('security 38: the header name %j is refused', async (name) => {
  const { status } = await create(await newTenant(), { delivery: { method: 'webhook', url, headers: { [name]: 'x' } } })
  expect(status).toBe(422)
})

test('the service token of Cloudflare Access is taken, in any case, and nothing that only begins like it', async () => {
  const tenant = await newTenant()
  const statusFor = async (headers: Record<string, string>) =>
    (await create(tenant, { delivery: { method: 'webhook', url, headers } })).status
  expect(await statusFor({ 'CF-Access-Client-Id': 'abc.access', 'CF-Access-Client-Secret': 'x' })).toBe(201)
  expect(await statusFor({ 'cf-access-client-id': 'abc.access', 'cf-access-client-secret': 'x' })).toBe(201)
  for (const name of ['CF-Access-Client-Ids', 'CF-Access-Jwt-Assertion', 'CF-Access-Client-Id-X']) {
    expect(await statusFor({ [name]: 'x' })).toBe(422)
  }
})

test('security 30: a header named __proto__ is refused, and not dropped', async () => {
  const raw = `{"channels":["memory"],"delivery":{"method":"webhook","url":"${url}","headers":{"__proto__":"x","X-A":"y"}}}`
  const { status, body } = await call('POST', '/api/events/subscriptions', {
    raw,
    headers: { 'X-API-Key': (await newTenant()).key, 'Content-Type': 'application/json' },
  })
  expect(status).toBe(422)
  expect(body.errors).toMatchObject([{ path: 'delivery.headers.__proto__', code: 'invalid_key' }])
})

test('security 38: a header value cannot carry another header', async () => {
  const tenant = await newTenant()
  for (const value of ['a\r\nX-Evil: 1', 'a\nb', '', ' a', 'é', 'x'.repeat(4_097)]) {
    const answer = await create(tenant, { delivery: { method: 'webhook', url, headers: { 'X-A': value } } })
    expect(answer.status).toBe(422)
  }
})

test('delivery.headers and secrets are never echoed, listed, logged or stored in the clear', async () => {
  const tenant = await newTenant()
  const logged: string[] = []
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line) => void logged.push(String(line))),
    vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(String(line))),
  ]
  const headers = { Authorization: 'Bearer s3cret-header-value' }
  const { body } = await create(tenant, { delivery: { method: 'webhook', url, headers } })
  const at = `/v1/events/subscriptions/${body.subscription_id}`
  const revealed = await request(tenant, 'GET', `${at}/secret`)
  const shown = [
    JSON.stringify(body),
    (await request(tenant, 'GET', at)).text,
    (await request(tenant, 'GET', '/api/events/subscriptions')).text,
    (await request(tenant, 'PATCH', at, { delivery: { headers: { 'X-B': 's3cret-header-value' } } })).text,
    JSON.stringify(
      await db.all('select * from subscriptions where id = :subscription', { subscription: body.subscription_id }),
    ),
    JSON.stringify(await db.all('select * from audit_outbox where tenant_id = :tenant', { tenant: tenant.tenantId })),
    ...logged,
  ].join('\n')
  for (const spy of spies) spy.mockRestore()
  expect(shown).not.toContain('s3cret-header-value')
  expect(shown).not.toContain(String(revealed.body.secret).slice('whsec_'.length))
})

test('the channel memory also needs read:memory', async () => {
  const tenant = await newTenant()
  const { secret } = await addKey(tenant, { scopes: ['read:events', 'write:events'] })
  const answer = await call('POST', '/api/events/subscriptions', {
    key: secret,
    body: { channels: ['memory'], delivery: { method: 'webhook', url } },
  })
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 403, code: 'insufficient_scope' })
  expect(answer.headers.get('WWW-Authenticate')).toBe(
    'Bearer resource_metadata="http://recollect.test/.well-known/oauth-protected-resource", error="insufficient_scope", scope="read:memory"',
  )
})

test('10 creations an hour for each user; a refused one releases its permit', async () => {
  const tenant = await newTenant()
  const first = await create(tenant)
  expect(remaining(first.headers)).toBe(9)
  expect((await create(tenant, { channels: ['Bad Name'] })).status).toBe(422)
  expect((await create(tenant, { events: ['memory.created'] })).status).toBe(422)
  expect(remaining((await create(tenant)).headers)).toBe(8)
  for (let n = 0; n < 8; n += 1) expect((await create(tenant)).status).toBe(201)
  expect(await create(tenant)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
})

test('an Idempotency-Key makes one subscription', async () => {
  const tenant = await newTenant()
  const send = () =>
    call('POST', '/api/events/subscriptions', {
      key: tenant.key,
      headers: { 'Idempotency-Key': 'once' },
      body: { channels: ['conversation'], delivery: { method: 'webhook', url } },
    })
  const [first, again] = [await send(), await send()]
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
})
