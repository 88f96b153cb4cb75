import { setTimeout as wait } from 'node:timers/promises'
import { Agent, approve } from '../../test/e2e/support/agent.ts'
import { callerOf, type Api } from './api.ts'
import { addPeople, connectAgents, importMonths } from './months.ts'

const DAY = 86_400_000
/** Nothing listens there: the deliveries wait for their next attempt. */
const SILENT_URL = 'http://127.0.0.1:9/hook'
const LOOK_MS = 200
const MAX_LOOKS = 150

const TEXTS = [
  'Ada prefers tea over coffee, and never drinks either after four.',
  'The deployment window is on Tuesday at 14:00 UTC; the rollback takes six minutes.',
  'Grace is allergic to peanuts: check the menu before you book.',
  'Invoices above 10,000 need a second signature from finance.',
  'aVeryLongWordWithoutAnySpaceThatCouldPushTheLayoutWiderThanThePhoneThatItIsReadOn'.repeat(2),
]

/** A conversation of three days ago. */
const CHAT = {
  conversation_id: 'support-4711',
  context: { subject: 'Grace Hopper' },
  messages: [
    ['user', 'My order came with the wrong kettle: I ordered the blue one.'],
    ['assistant', 'I am sorry. The blue kettle is in stock; shall I send it today?'],
    ['user', 'Yes please, but not to the old address. I moved to Arlington in May.'],
    ['assistant', 'Thank you, I changed the address to Arlington. The kettle leaves today at 16:00.'],
    ['user', 'And what do I do with the red one?'],
    ['assistant', 'Keep it for a friend, or send it back with the label in the parcel, free of charge.'],
    ['user', 'Then I will send it back.'],
  ].map(([role, content], nth) => ({
    role,
    content,
    ...(role === 'user' ? { name: 'Grace' } : {}),
    timestamp: new Date(Date.now() - 3 * DAY + nth * 60_000).toISOString(),
  })),
}

interface Id {
  id: string
}

interface List<T> {
  data: T[]
}

interface Delivery extends Id {
  attempts: number
}

/** The ids of what the account has. */
export interface FurnishedAccount {
  userId: string
  workspaceId: string
  projectId: string
  itemId: string
  conversationId: string
  turnId: string
  keyId: string
  revokedKeyId: string
  webhookId: string
  deliveryId: string
  /** A webhook whose receiver does not respond, and its delivery. */
  silentWebhookId: string
  retriedDeliveryId: string
  appId: string
  erasureId: string
}

/**
 * Gives the new account of a session content for every page of the portal, through the public API. `receiverUrl`: the URL of a
 * webhook receiver that responds. Its requests need more than the usual limits.
 */
export async function furnishAccount(url: string, token: string, receiverUrl: string): Promise<FurnishedAccount> {
  const api = callerOf(url, token)
  const { id: userId } = await api<Id>('GET', '/api/users/me')
  const { data } = await api<List<Id & { workspace_id: string }>>('GET', '/v1/projects')
  const [project] = data
  if (!project) throw new Error('The account has no project.')
  const { id: projectId, workspace_id: workspaceId } = project
  await api('POST', '/api/projects', {
    name: 'Support bot',
    workspace_id: workspaceId,
    description: 'What our customers told us.',
    icon: '💬',
  })
  const { webhookId, silentWebhookId } = await subscribe(api, projectId, receiverUrl)
  await importMonths(url, token, projectId)
  const { itemId, turnId } = await remember(api)
  const keys = await createKeys(api, projectId)
  await api('POST', `/v1/workspaces/${workspaceId}/members`, { email: 'grace@example.com', role: 'editor' })
  const { id: appId } = await api<Id>('POST', '/v1/apps', {
    name: 'Meeting notes',
    type: 'confidential',
    redirect_uris: ['https://app.example.com/callback'],
    scopes: ['read:memory', 'read:profile'],
  })
  await connectApplication(url, token)
  await connectAgents(url, token)
  await addPeople(url, api, workspaceId)
  const deliveryId = await attemptedDelivery(api, webhookId)
  const retriedDeliveryId = await attemptedDelivery(api, silentWebhookId)
  const { id: erasureId } = await api<Id>('POST', '/v1/erasures', { namespace: 'customers:grace' })
  return {
    userId,
    workspaceId,
    projectId,
    itemId,
    conversationId: CHAT.conversation_id,
    turnId,
    ...keys,
    webhookId,
    deliveryId,
    silentWebhookId,
    retriedDeliveryId,
    appId,
    erasureId,
  }
}

/** Two webhooks, of which one fails. */
async function subscribe(api: Api, projectId: string, receiverUrl: string) {
  const create = async (body: object): Promise<string> =>
    (await api<{ subscription_id: string }>('POST', '/api/events/subscriptions', body)).subscription_id
  return {
    webhookId: await create({
      channels: ['memory', 'conversation'],
      delivery: { method: 'webhook', url: receiverUrl },
    }),
    silentWebhookId: await create({
      channels: ['memory', 'orders'],
      events: ['memory.created', 'order.shipped'],
      filters: { project_id: projectId, namespace: 'default' },
      delivery: { method: 'webhook', url: SILENT_URL },
    }),
  }
}

/** Memories of today, of which one was changed, and a conversation. */
async function remember(api: Api): Promise<{ itemId: string; turnId: string }> {
  const ids: string[] = []
  for (const content of TEXTS) {
    const { id } = await api<Id>('POST', '/api/memory/store', { content, tags: ['demo'], wait_ms: 5_000 })
    ids.push(id)
  }
  const { messages } = await api<{ messages: { ids: string[] }[] }>('POST', '/v1/memory/ingest', CHAT)
  const [itemId = ''] = ids
  await api('PATCH', `/v1/memory/items/${itemId}`, { content: { text: 'Ada prefers green tea over coffee.' } })
  return { itemId, turnId: messages[3]?.ids[0] ?? '' }
}

/** A key in use, one that ends within a week, one that ends later, and one that is revoked. */
async function createKeys(api: Api, projectId: string): Promise<{ keyId: string; revokedKeyId: string }> {
  const create = async (body: object): Promise<string> => (await api<Id>('POST', '/v1/api-keys', body)).id
  const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString()
  const keyId = await create({ name: 'Support bot', scopes: ['read:memory', 'write:memory'] })
  await create({
    name: 'Nightly import',
    environment: 'test',
    scopes: ['write:memory'],
    permissions: [{ project_id: projectId, access: 'write' }],
    expires_at: inDays(7),
  })
  await create({ name: 'Reports', scopes: ['read:memory'], expires_at: inDays(90) })
  const revokedKeyId = await create({ name: 'Old laptop', scopes: ['read:memory'] })
  await api('DELETE', `/v1/api-keys/${revokedKeyId}`)
  return { keyId, revokedKeyId }
}

/** The newest delivery of a webhook, once one of its deliveries was attempted. */
async function attemptedDelivery(api: Api, webhookId: string): Promise<string> {
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const { data } = await api<List<Delivery>>('GET', `/v1/events/subscriptions/${webhookId}/deliveries`)
    const [newest] = data
    if (newest && data.some(({ attempts }) => attempts > 0)) return newest.id
    await wait(LOOK_MS)
  }
  throw new Error(`No delivery of ${webhookId} was attempted within ${(MAX_LOOKS * LOOK_MS) / 1_000} seconds.`)
}

/** Somebody else's application, with the account's consent and a token. */
async function connectApplication(url: string, token: string): Promise<void> {
  const developer = await Agent.signUp(url)
  const redirect_uri = 'https://calendar.example/callback'
  const { client_id, client_secret } = await developer.makeApp(redirect_uri, { name: 'Calendar' })
  const asked = { response_type: 'code', client_id, redirect_uri, scope: 'read:memory write:memory', state: 's' }
  const address = `${url}/auth/authorize?${new URLSearchParams(asked).toString()}`
  const code = (await approve(url, token, address)).searchParams.get('code') ?? ''
  const redeemed = await fetch(`${url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, grant_type: 'authorization_code', code, redirect_uri }),
  })
  if (!redeemed.ok) throw new Error(await redeemed.text())
}
