import { CANARY, CANARY_ITEM } from '../../support/canaries.ts'
import { NEVER, type Requests } from './requests.ts'

const item = (content: string, more: object = {}) => ({ content, ...more })
const lines = (...items: object[]): string => items.map((one) => JSON.stringify(one)).join('\n')
const knownCustomId = { custom_id: CANARY.customId, context: { namespace: CANARY.namespace } }
const knownCustomIdAbout = (subject: string) => ({ ...knownCustomId, context: { ...knownCustomId.context, subject } })
const grant = (user_id: string) => ({ user_id, access: 'read' })

export const MEMORY_REQUESTS: Requests = {
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
  embedMemory: ({ itemId }) => [
    { status: 202, params: { id: itemId } },
    { status: 202, params: { id: itemId } },
    { status: 404, params: { id: NEVER } },
  ],
  eraseMemories: () => [
    { status: 422, body: {} },
    { status: 200, body: { namespace: CANARY.namespace, dry_run: true } },
    { status: 202, body: { subject: CANARY.subject } },
  ],
  retireMemory: ({ itemId }) => [
    { status: 412, params: { id: itemId }, headers: { 'If-Match': '"7"' } },
    { status: 422, params: { id: itemId }, body: { reason: '' } },
    { status: 200, params: { id: itemId }, body: { reason: CANARY.text } },
    { status: 409, params: { id: itemId } },
    { status: 404, params: { id: NEVER } },
  ],
  restoreMemory: ({ owner, itemId }) => [
    { status: 412, params: { id: itemId }, headers: { 'If-Match': '"7"' } },
    {
      status: 200,
      params: { id: itemId },
      before: () => owner.send('POST', `/v1/memory/items/${itemId}/retire`),
    },
    { status: 409, params: { id: itemId } },
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
  storeMessages: ({ owner }, replays) => {
    const turn = { role: 'user', content: CANARY.text }
    const known = { conversation_id: 'known', messages: [{ id: 'm', ...turn }] }
    return [
      { status: 200, body: { conversation_id: 'c', messages: [{ role: 'user', content: 'new' }] } },
      { status: 200, body: known, before: () => owner.send('POST', '/v1/memory/ingest', known) },
      { status: 403, body: { ...known, mode: 'history' } },
      { status: 422, body: { ...known, messages: [] } },
      { status: 404, body: { ...known, context: { project_id: NEVER } } },
      {
        status: 409,
        body: { ...known, conversation_id: 'hidden' },
        byMember: true,
        before: () =>
          owner.send('POST', '/v1/memory/ingest', { ...known, conversation_id: 'hidden', visibility: 'private' }),
      },
      replays({ status: 200, body: { conversation_id: 'd', messages: [{ role: 'user', content: 'told twice' }] } }),
    ]
  },
  deleteConversation: () => {
    const params = { conversation_id: CANARY.conversation }
    return [
      { status: 403, params },
      { status: 403, params, query: `namespace=${CANARY.namespace}` },
    ]
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
}
