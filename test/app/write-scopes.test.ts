/**
 * @module-tag long
 * @module-tag shards
 */
import { describe, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../src/core/context.ts'
import { scopesOf, type EndpointSpec } from '../../src/core/http/endpoint.ts'
import { CANARY, CANARY_ITEM, plantCanaries, type Planted } from '../support/canaries.ts'
import { travel } from '../support/clock.ts'
import { addKey, call, type Answer, type Tenant } from '../support/world.ts'
import { needsCredential, rows, type Row } from './every-endpoint.ts'

const NEVER = 'mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG'
const URL_OF_OURS = 'https://elsewhere.example.com/in'

interface Sent {
  status: number
  params?: Record<string, string>
  query?: string
  body?: unknown
  /** JSON lines. */
  raw?: string
  headers?: Record<string, string>
  /** The member of the workspace asks, instead of its owner. */
  byMember?: true
  /** What somebody with all scopes does before. */
  before?: () => Promise<unknown>
}

/** A request that is sent twice under one idempotency key: first with all scopes. `inBetween` happens in between. */
type Replayed = Omit<Sent, 'before' | 'headers'> & { inBetween?: (first: Answer) => Promise<unknown> }

const isWrite = (scope: Scope): boolean => scope.startsWith('write:') || scope === 'admin:workspace'
/** Only `admin:workspace` opens invitations and keys, so it reads them too. */
const isReadByAdmin = ({ method, scope }: EndpointSpec): boolean => method === 'get' && scope === 'admin:workspace'
const WRITES = rows(
  (spec) => needsCredential(spec) && spec.auth !== 'session' && scopesOf(spec).some(isWrite) && !isReadByAdmin(spec),
)

const item = (content: string, more: object = {}) => ({ content, ...more })
const lines = (...items: object[]): string => items.map((one) => JSON.stringify(one)).join('\n')

/** Requests to each operation with a scope to write, unhappy ones too. An operation without a row here fails the test. */
const REQUESTS: Record<string, (planted: Planted, replays: (sent: Replayed) => Sent) => Sent[]> = {
  storeMemory: ({ owner, itemId }, replays) => [
    { status: 201, body: item('new') },
    { status: 201, body: item('new and embedded', { wait_ms: 50 }) },
    { status: 200, body: item('mine', knownCustomId) },
    { status: 403, body: item(CANARY.text, { deduplicate: true, context: { namespace: CANARY.namespace } }) },
    { status: 422, body: item('', knownCustomId) },
    { status: 403, body: item('mine', knownCustomIdAbout(CANARY.subject)) },
    { status: 403, body: item('mine', knownCustomIdAbout('somebody else')) },
    { status: 404, body: item('x', { context: { project_id: NEVER } }) },
    {
      status: 409,
      body: item('mine', knownCustomId),
      byMember: true,
      before: () => owner.send('PATCH', `/v1/memory/items/${itemId}`, { ...CANARY_ITEM, visibility: 'private' }),
    },
    replays({
      status: 201,
      body: item('told twice'),
      inBetween: (first) =>
        owner.send('PATCH', `/v1/memory/items/${first.body.id}`, { content: CANARY.text, tags: [CANARY.tag] }),
    }),
    { ...replays({ status: 409, body: item(CANARY.text) }), body: item('another body') },
  ],
  updateMemory: ({ owner, itemId }) => [
    { status: 200, params: { id: itemId }, body: {} },
    { status: 200, params: { id: itemId }, body: { ttl: 3_600 } },
    { status: 412, params: { id: itemId }, body: {}, headers: { 'If-Match': '"1"' } },
    { status: 403, params: { id: itemId }, body: { content: { metadata: { a: 1 } }, merge_metadata: true } },
    { status: 422, params: { id: itemId }, body: { context: { project_id: NEVER } } },
    { status: 403, params: { id: itemId }, body: { context: { subject: 'somebody else' } } },
    { status: 422, params: { id: itemId }, body: { visibility: 'private', permissions: [grant(NEVER)] } },
    { status: 404, params: { id: NEVER }, body: {} },
    { status: 403, params: { id: itemId }, body: { visibility: 'private' }, byMember: true },
    {
      status: 409,
      params: { id: itemId },
      body: { custom_id: 'taken' },
      before: () => owner.store(item(CANARY.text, { custom_id: 'taken', context: { namespace: CANARY.namespace } })),
    },
  ],
  applyRetention: ({ owner }) => [
    { status: 403, params: { id: owner.projectId }, body: {} },
    { status: 403, params: { id: NEVER }, body: { dry_run: true } },
  ],
  embedMemory: ({ itemId }) => [
    { status: 202, params: { id: itemId } },
    { status: 202, params: { id: itemId } },
    { status: 404, params: { id: NEVER } },
  ],
  deleteMemory: ({ itemId }) => [
    { status: 412, params: { id: itemId }, headers: { 'If-Match': '"7"' } },
    { status: 204, params: { id: itemId } },
    { status: 404, params: { id: itemId } },
  ],
  deleteMemories: () => [
    { status: 403, body: { filters: {}, dry_run: true } },
    { status: 403, body: { filters: { tags: [CANARY.tag] } } },
    { status: 403, body: { filters: { NOT: { tags: [CANARY.tag] } } } },
    { status: 403, body: { filters: {}, context: { conversation_id: CANARY.conversation } } },
    { status: 403, body: { filters: {}, context: { subject: CANARY.subject } } },
    { status: 422, body: { filters: { [`metadata.${CANARY.metadataKey}`]: {} } } },
    { status: 200, body: { filters: {}, context: { namespace: CANARY.namespace } } },
  ],
  importMemories: (_, replays) => {
    const raw = lines(
      item('new'),
      item('mine', knownCustomId),
      item('mine', knownCustomIdAbout('somebody else')),
      item(CANARY.text, { deduplicate: true, context: { namespace: CANARY.namespace } }),
      item(''),
    )
    return [{ status: 200, raw }, replays({ status: 200, raw }), { status: 404, raw, query: `project_id=${NEVER}` }]
  },
  batchMemories: ({ itemId, owner }, replays) => {
    const operations = [
      { op: 'store', ...item('new') },
      { op: 'store', ...item('mine', knownCustomId) },
      { op: 'store', ...item('mine', knownCustomIdAbout('somebody else')) },
      { op: 'store', ...item(CANARY.text, { deduplicate: true, context: { namespace: CANARY.namespace } }) },
      { op: 'update', id: itemId },
      { op: 'update', id: itemId, context: { project_id: NEVER } },
      { op: 'update', id: itemId, content: { metadata: { a: 1 } }, merge_metadata: true },
      { op: 'update', id: itemId, context: { subject: 'somebody else' } },
      { op: 'retrieve', id: itemId },
      { op: 'delete', id: NEVER },
    ]
    return [
      { status: 200, body: { operations } },
      { status: 422, body: { operations, atomic: true } },
      replays({
        status: 200,
        body: { operations },
        inBetween: () => owner.send('PATCH', `/v1/memory/items/${itemId}`, CANARY_ITEM),
      }),
    ]
  },
  createProject: ({ owner }, replays) => [
    { status: 201, body: { name: 'new', workspace_id: owner.workspaceId } },
    { status: 404, body: { name: 'new', workspace_id: NEVER } },
    { status: 422, body: { name: '', workspace_id: owner.workspaceId } },
    replays({
      status: 201,
      body: { name: 'told twice', workspace_id: owner.workspaceId },
      inBetween: (first) =>
        owner.send('PATCH', `/v1/projects/${first.body.id}`, {
          name: CANARY.projectName,
          description: CANARY.projectDescription,
        }),
    }),
  ],
  updateProject: ({ owner }) => [
    { status: 200, params: { id: owner.projectId }, body: {} },
    { status: 200, params: { id: owner.projectId }, body: { icon: 'new' } },
    { status: 422, params: { id: owner.projectId }, body: { name: '' } },
    { status: 404, params: { id: NEVER }, body: {} },
  ],
  deleteProject: ({ owner }) => [
    { status: 403, params: { id: owner.projectId }, byMember: true },
    { status: 204, params: { id: owner.projectId } },
    { status: 404, params: { id: owner.projectId } },
  ],
  createWorkspace: ({ owner }, replays) => [
    { status: 201, body: { name: 'new' } },
    { status: 422, body: {} },
    replays({
      status: 201,
      body: { name: 'told twice' },
      inBetween: (first) => owner.send('PATCH', `/v1/workspaces/${first.body.id}`, { name: CANARY.workspaceName }),
    }),
  ],
  updateWorkspace: ({ owner }) => [
    { status: 200, params: { id: owner.workspaceId }, body: {} },
    { status: 403, params: { id: owner.workspaceId }, body: {}, byMember: true },
    { status: 404, params: { id: NEVER }, body: {} },
  ],
  deleteWorkspace: ({ owner }) => [
    { status: 403, params: { id: owner.workspaceId }, byMember: true },
    { status: 204, params: { id: owner.workspaceId } },
    { status: 404, params: { id: owner.workspaceId } },
  ],
  updateMe: () => [
    { status: 200, body: {} },
    { status: 200, body: { settings: { theme: 'dark' } } },
    { status: 422, body: { settings: { language: '!' } } },
  ],
  publishEvent: ({ owner }, replays) => {
    const body = { type: 'message.new', data: { conversation_id: 'c' }, project_id: owner.projectId }
    return [
      { status: 202, body },
      replays({ status: 202, body }),
      { status: 422, body: { ...body, channel: 'memory' } },
      { status: 422, body: { ...body, data: {} } },
      { status: 404, body: { ...body, project_id: NEVER } },
    ]
  },
  createSubscription: ({ owner }, replays) => {
    const body = { channels: ['conversation'], delivery: { method: 'webhook', url: URL_OF_OURS } }
    return [
      { status: 201, body },
      { status: 422, body: { ...body, events: ['offering.updated'] } },
      { status: 403, body: { ...body, channels: ['memory'] } },
      replays({
        status: 201,
        body,
        inBetween: (first) =>
          owner.send('PATCH', `/v1/events/subscriptions/${first.body.subscription_id}`, {
            channels: [CANARY.channel],
            filters: { conversation_id: CANARY.filter },
          }),
      }),
    ]
  },
  updateSubscription: ({ subscriptionId, misspeltId }) => [
    { status: 200, params: { id: subscriptionId }, body: {} },
    { status: 200, params: { id: subscriptionId }, body: { status: 'paused' } },
    { status: 422, params: { id: subscriptionId }, body: { events: ['message.new'] } },
    { status: 422, params: { id: subscriptionId }, body: { channels: ['conversation'] } },
    { status: 422, params: { id: misspeltId }, body: { events: [] } },
    { status: 403, params: { id: subscriptionId }, body: { channels: ['memory'], events: [] } },
    { status: 422, params: { id: subscriptionId }, body: { delivery: { url: 'https://u:p@example.com/' } } },
    { status: 404, params: { id: NEVER }, body: {} },
  ],
  deleteSubscription: ({ subscriptionId }) => [
    { status: 200, params: { subscription_id: subscriptionId } },
    { status: 404, params: { subscription_id: subscriptionId } },
  ],
  testSubscription: ({ owner, subscriptionId }, replays) => [
    { status: 202, params: { id: subscriptionId } },
    replays({ status: 202, params: { id: subscriptionId } }),
    {
      status: 409,
      params: { id: subscriptionId },
      before: () => owner.send('PATCH', `/v1/events/subscriptions/${subscriptionId}`, { status: 'paused' }),
    },
  ],
  getSubscriptionSecret: ({ subscriptionId }) => [
    { status: 200, params: { id: subscriptionId } },
    { status: 404, params: { id: NEVER } },
  ],
  rotateSubscriptionSecret: ({ subscriptionId }, replays) => [
    { status: 200, params: { id: subscriptionId } },
    replays({ status: 200, params: { id: subscriptionId } }),
    { status: 404, params: { id: NEVER } },
  ],
  retryDelivery: ({ owner, deliveryId, subscriptionId }) => [
    { status: 202, params: { id: deliveryId } },
    { status: 404, params: { id: NEVER } },
    {
      status: 409,
      params: { id: deliveryId },
      before: () => owner.send('PATCH', `/v1/events/subscriptions/${subscriptionId}`, { status: 'paused' }),
    },
  ],
  recoverDeliveries: ({ subscriptionId }) => [
    { status: 202, params: { id: subscriptionId }, body: { since: '2026-01-01T00:00:00Z' } },
    {
      status: 422,
      params: { id: subscriptionId },
      body: { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' },
    },
    { status: 404, params: { id: NEVER }, body: { since: '2026-01-01T00:00:00Z' } },
  ],
  inviteMember: ({ owner, member }, replays) => {
    const body = { email: 'new@example.com', role: 'editor' }
    return [
      { status: 202, params: { id: owner.workspaceId }, body },
      { status: 409, params: { id: owner.workspaceId }, body: { email: member.email, role: 'viewer' } },
      { status: 403, params: { id: owner.workspaceId }, body, byMember: true },
      replays({ status: 202, params: { id: owner.workspaceId }, body: { email: 'twice@example.com', role: 'editor' } }),
    ]
  },
  renewInvitation: ({ owner }) => [{ status: 404, params: { id: owner.workspaceId, invitation_id: NEVER } }],
  withdrawInvitation: ({ owner }) => [{ status: 404, params: { id: owner.workspaceId, invitation_id: NEVER } }],
  changeMemberRole: ({ owner, member }) => [
    { status: 200, params: { id: owner.workspaceId, user_id: member.userId }, body: { role: 'viewer' } },
    { status: 409, params: { id: owner.workspaceId, user_id: owner.userId }, body: { role: 'viewer' } },
    { status: 404, params: { id: owner.workspaceId, user_id: NEVER }, body: { role: 'viewer' } },
  ],
  removeMember: ({ owner, member }) => [
    { status: 204, params: { id: owner.workspaceId, user_id: member.userId } },
    { status: 404, params: { id: owner.workspaceId, user_id: member.userId } },
  ],
  createApiKey: (_, replays) => [
    { status: 403, body: { name: 'wider', scopes: ['read:memory'] } },
    {
      ...replays({ status: 409, body: { name: 'first', scopes: ['read:memory'] } }),
      body: { name: 'another', scopes: ['read:memory'] },
    },
  ],
  rotateApiKey: ({ owner }) => [
    { status: 403, params: { id: owner.keyId }, body: {} },
    { status: 404, params: { id: NEVER }, body: {} },
  ],
  revokeApiKey: ({ owner }) => [
    { status: 403, params: { id: owner.keyId } },
    { status: 404, params: { id: NEVER } },
  ],
}

const knownCustomId = { custom_id: CANARY.customId, context: { namespace: CANARY.namespace } }
const knownCustomIdAbout = (subject: string) => ({ ...knownCustomId, context: { ...knownCustomId.context, subject } })
const grant = (user_id: string) => ({ user_id, access: 'read' })

async function send(spec: EndpointSpec, sent: Sent, by: Tenant, scopes: readonly Scope[]): Promise<Answer> {
  const { params = {}, query, body, raw, headers = {} } = sent
  const path = spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  // A second for each request, so that no limit is met.
  travel(1_000)
  const { secret: key } = await addKey(by, { scopes })
  return call(spec.method.toUpperCase(), query === undefined ? path : `${path}?${query}`, {
    key,
    headers: { ...headers, ...(raw === undefined ? {} : { 'Content-Type': 'application/x-ndjson' }) },
    ...(raw === undefined ? { body } : { raw }),
  })
}

const textWithHeaders = ({ text, headers }: Answer): string => `${text}\n${JSON.stringify([...headers])}`

test('each operation with a scope to write has requests here', () => {
  expect(WRITES.map(({ spec }) => spec.operationId).sort()).toEqual(Object.keys(REQUESTS).sort())
})

test('the canaries are where their readers find them', async () => {
  const { owner, canaries, itemId, subscriptionId, misspeltId, deliveryId } = await plantCanaries()
  const paths = [
    `/v1/memory/items/${itemId}`,
    `/v1/projects/${owner.projectId}`,
    `/v1/workspaces/${owner.workspaceId}`,
    `/v1/workspaces/${owner.workspaceId}/members`,
    '/api/users/me',
    ...[subscriptionId, misspeltId].map((id) => `/v1/events/subscriptions/${id}`),
    `/v1/events/deliveries/${deliveryId}`,
  ]
  const seen = (await Promise.all(paths.map((path) => owner.send('GET', path)))).map(({ text }) => text).join('\n')
  // The headers of a webhook are shown to nobody (contract §5).
  const hidden: string[] = [CANARY.headerName, CANARY.headerValue]
  expect(canaries.filter((canary) => !seen.includes(canary))).toEqual(hidden)
})

describe('security 67: a credential that may only write reads nothing (contract §2)', () => {
  const byScope = WRITES.flatMap((row) =>
    scopesOf(row.spec)
      .filter(isWrite)
      .map((scope) => ({ ...row, scope })),
  )

  test.each(byScope)('$name with $scope alone', async ({ name, spec, scope }: Row & { scope: Scope }) => {
    const planted = await plantCanaries()
    let keys = 0
    const replays = ({ inBetween, ...sent }: Replayed): Sent => {
      const headers = { 'Idempotency-Key': `k${(keys += 1)}` }
      const before = async () => {
        const first = await send(spec, { ...sent, headers }, planted.owner, SCOPES)
        expect(first.status, `${name}: ${first.text}`).toBeLessThan(300)
        await inBetween?.(first)
      }
      return { ...sent, headers, before }
    }
    const requests = REQUESTS[spec.operationId]?.(planted, replays) ?? []
    for (const sent of requests) {
      await sent.before?.()
      const answer = await send(spec, sent, sent.byMember ? planted.member : planted.owner, [scope])
      const what = `${name} ${JSON.stringify(sent)}`
      expect({ what, status: answer.status, text: answer.text }).toMatchObject({ status: sent.status })
      const told = textWithHeaders(answer)
      const request = JSON.stringify(sent)
      const leaked = planted.canaries.filter((canary) => told.includes(canary) && !request.includes(canary))
      expect({ what, leaked, text: answer.text }).toMatchObject({ leaked: [] })
    }
  })
})
