import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { until } from '../../support/until.ts'
import { Agent, approve } from './agent.ts'
import { addPeople, connectAgents, importMonths } from '../../../tools/furnished/months.ts'
import { writeHistory } from '../../../tools/furnished/history.ts'
import type { Server } from './server.ts'

/** Who has content on every page. */
export const ADA = { email: 'ada@example.com', password: 'correct horse battery' }

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
    timestamp: new Date(Date.now() - 3 * 86_400_000 + nth * 60_000).toISOString(),
  })),
}

interface Opening {
  path: string
  button?: string
  keys?: string
  dialog: string
}

export interface Furnished {
  /** Every page, by the name of its screenshot. */
  pages: Map<string, string>
  /** What a form leads to: a secret that is shown once, or the form with its errors. */
  states: Map<string, (page: Page) => Promise<void>>
  /** What opens on a page: a button, or keys. */
  openings: Map<string, Opening>
}

/** An account with content for every page, created through the public API. */
export async function furnish(server: Server, receiverUrl: string): Promise<Furnished> {
  const account = await fetch(`${server.url}/auth/register-user`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'Ada Lovelace', ...ADA }),
  })
  const { session_token: token } = (await account.json()) as { session_token: string }
  const api = callerOf(server, token)
  const [project] = (await api('GET', '/v1/projects')).data
  await api('POST', '/api/projects', {
    name: 'Support bot',
    workspace_id: project.workspace_id,
    description: 'What our customers told us.',
    icon: '💬',
  })
  const webhook = await api('POST', '/api/events/subscriptions', {
    channels: ['memory', 'conversation'],
    delivery: { method: 'webhook', url: receiverUrl },
  })
  // Nothing listens there: the deliveries wait for their next attempt.
  const { subscription_id: silent } = await api('POST', '/api/events/subscriptions', {
    channels: ['memory', 'orders'],
    events: ['memory.created', 'order.shipped'],
    filters: { project_id: project.id, namespace: 'default' },
    delivery: { method: 'webhook', url: 'http://127.0.0.1:9/hook' },
  })
  await importMonths(server, token, project.id)
  const items = []
  for (const text of TEXTS)
    items.push(await api('POST', '/api/memory/store', { content: text, tags: ['demo'], wait_ms: 5_000 }))
  const { messages } = await api('POST', '/v1/memory/ingest', CHAT)
  await api('PATCH', `/v1/memory/items/${items[0].id}`, { content: { text: 'Ada prefers green tea over coffee.' } })
  const key = await api('POST', '/v1/api-keys', { name: 'Support bot', scopes: ['read:memory', 'write:memory'] })
  await api('POST', '/v1/api-keys', {
    name: 'Nightly import',
    environment: 'test',
    scopes: ['write:memory'],
    permissions: [{ project_id: project.id, access: 'write' }],
    expires_at: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  })
  await api('POST', '/v1/api-keys', {
    name: 'Reports',
    scopes: ['read:memory'],
    expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  })
  const { id: revoked } = await api('POST', '/v1/api-keys', { name: 'Old laptop', scopes: ['read:memory'] })
  await api('DELETE', `/v1/api-keys/${revoked}`)
  await api('POST', `/v1/workspaces/${project.workspace_id}/members`, { email: 'grace@example.com', role: 'editor' })
  const app = await api('POST', '/v1/apps', {
    name: 'Meeting notes',
    type: 'confidential',
    redirect_uris: ['https://app.example.com/callback'],
    scopes: ['read:memory', 'read:profile'],
  })
  await connect(server, token)
  await connectAgents(server, token)
  await addPeople(server, api, project.workspace_id)
  const deliveries = await until(async () => {
    const { data } = await api('GET', `/v1/events/subscriptions/${webhook.subscription_id}/deliveries`)
    expect(data).not.toEqual([])
    return data
  })
  const [retried] = await until(async () => {
    const { data } = await api('GET', `/v1/events/subscriptions/${silent}/deliveries`)
    expect(data.filter((one: { attempts: number }) => one.attempts > 0)).not.toEqual([])
    return data
  })
  const erasure = await api('POST', '/v1/erasures', { namespace: 'customers:grace' })
  const me = await api('GET', '/api/users/me')
  const db = await server.miniflare.getD1Database(server.home.DB)
  const tenantId = String((await db.prepare('select tenant_id from users').first())?.['tenant_id'])
  const { id: keyId } = key
  const { subscription_id: webhookId } = webhook
  await writeHistory(server, { tenantId, userId: me.id, projectId: project.id, keyId, webhookId })
  const pages = new Map(
    Object.entries({
      overview: '/portal',
      memory: '/portal/memory',
      search: '/portal/memory?q=Which+foods+make+her+sick%3F#results',
      item: `/portal/memory/${items[0].id}`,
      turn: `/portal/memory/${messages[3].ids[0]}`,
      conversations: '/portal/conversations',
      chat: `/portal/conversations/chat?project_id=${project.id}&conversation_id=${CHAT.conversation_id}`,
      namespaces: '/portal/namespaces',
      keys: '/portal/keys',
      'key-new': '/portal/keys/new',
      'key-revoked': `/portal/keys/${revoked}`,
      'memory-store': '/portal/memory?store',
      key: `/portal/keys/${key.id}`,
      projects: '/portal/projects',
      'project-new': '/portal/projects/new',
      project: `/portal/projects/${project.id}`,
      events: '/portal/events',
      webhooks: '/portal/webhooks',
      'webhook-new': '/portal/webhooks/new',
      webhook: `/portal/webhooks/${webhook.subscription_id}`,
      'webhook-silent': `/portal/webhooks/${silent}`,
      'webhook-edit': `/portal/webhooks/${silent}/edit`,
      delivery: `/portal/webhooks/${webhook.subscription_id}/deliveries/${deliveries[0].id}`,
      'delivery-retried': `/portal/webhooks/${silent}/deliveries/${retried.id}`,
      workspaces: '/portal/workspaces',
      workspace: `/portal/workspaces/${project.workspace_id}`,
      apps: '/portal/apps',
      'app-new': '/portal/apps/new',
      app: `/portal/apps/${app.id}`,
      agents: '/portal/agents',
      connected: '/portal/connected',
      usage: '/portal/usage?span=hour',
      'usage-day': '/portal/usage',
      'usage-month': `/portal/usage?span=month&webhook=${webhook.subscription_id}`,
      audit: '/portal/audit',
      'audit-reads': '/portal/audit?page_reads=include',
      erasures: '/portal/erasures',
      'erasure-new': '/portal/erasures/new?namespace=default',
      subjects: '/portal/erasures/subjects',
      erasure: `/portal/erasures/${erasure.id}`,
      settings: '/portal/settings',
      people: '/portal/settings/people',
      'not-found': '/portal/projects/prj_nowhere',
      'sign-in': '/portal/sign-in',
      'sign-up': '/portal/sign-up',
      'reset-password': '/portal/reset-password?token=x',
    }),
  )
  const ask = { path: `/portal/keys/${key.id}`, button: 'Revoke this key', dialog: 'Revoke Support bot?' }
  const openings = new Map<string, Opening>([
    ['ask', ask],
    ['store', { path: '/portal/memory', button: 'Store a memory', dialog: 'Store a memory' }],
    ['palette', { path: '/portal', keys: 'Control+k', dialog: 'Go to' }],
  ])
  return { pages, states: statesOf(webhook.subscription_id, project.workspace_id), openings }
}

function statesOf(webhookId: string, workspaceId: string): Furnished['states'] {
  const states: Furnished['states'] = new Map()
  states.set('key-once', async (page) => {
    await page.goto('/portal/keys/new')
    await page.getByLabel('Name', { exact: true }).fill('Shown once')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('heading', { name: 'Copy your key now' }).waitFor()
  })
  states.set('signing-secret-once', async (page) => {
    await page.goto(`/portal/webhooks/${webhookId}`)
    await page.getByRole('button', { name: 'Show signing secret' }).click()
    await page.getByRole('heading', { name: 'Signing secret', exact: true }).waitFor()
  })
  states.set('invitation-once', async (page) => {
    await page.goto(`/portal/workspaces/${workspaceId}`)
    await page.getByLabel('Name of the workspace').fill('Support team')
    await page.getByLabel('E-mail address', { exact: true }).fill(`${crypto.randomUUID()}@example.com`)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByRole('heading', { name: 'Send them this link' }).waitFor()
  })
  states.set('field-errors', async (page) => {
    await page.goto('/portal/apps/new')
    await page.getByLabel('Name', { exact: true }).fill('Notes')
    await page.getByLabel('Redirect addresses').fill('http://notes.example/callback')
    await page.getByRole('button', { name: 'Create app' }).click()
    await page.locator('.field-error').first().waitFor()
  })
  return states
}

/** Somebody else's application, with Ada's consent and a token. */
async function connect(server: Server, token: string): Promise<void> {
  const developer = await Agent.signUp(server.url)
  const redirect_uri = 'https://calendar.example/callback'
  const { client_id, client_secret } = await developer.makeApp(redirect_uri, { name: 'Calendar' })
  const asked = { response_type: 'code', client_id, redirect_uri, scope: 'read:memory write:memory', state: 's' }
  const address = `${server.url}/auth/authorize?${new URLSearchParams(asked).toString()}`
  const code = (await approve(server.url, token, address)).searchParams.get('code') ?? ''
  const redeemed = await fetch(`${server.url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, grant_type: 'authorization_code', code, redirect_uri }),
  })
  if (!redeemed.ok) throw new Error(await redeemed.text())
}

/** Calls the public API in a session, and throws where it refuses. */
const callerOf =
  (server: Server, token: string) =>
  async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { 'X-Session-Token': token, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response.status === 204 ? null : response.json()
  }
