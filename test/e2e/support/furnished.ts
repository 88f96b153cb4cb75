import type { Page } from 'playwright-core'
import { furnishAccount } from '../../../tools/furnished/account.ts'
import { writeHistory } from '../../../tools/furnished/history.ts'
import type { Server } from './server.ts'

/** Who has content on every page. */
export const ADA = { email: 'ada@example.com', password: 'correct horse battery' }

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

/** An account with content for every page. */
export async function furnish(server: Server, receiverUrl: string): Promise<Furnished> {
  const account = await fetch(`${server.url}/auth/register-user`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'Ada Lovelace', ...ADA }),
  })
  const { session_token: token } = (await account.json()) as { session_token: string }
  const made = await furnishAccount(server.url, token, receiverUrl)
  const main = await server.miniflare.getD1Database(server.home.DB)
  const audit = await server.miniflare.getD1Database(server.home.AUDIT_DB)
  await writeHistory({ main, audit }, made)
  const pages = new Map(
    Object.entries({
      overview: '/portal',
      memory: '/portal/memory',
      search: '/portal/memory?q=Which+foods+make+her+sick%3F#results',
      item: `/portal/memory/${made.itemId}`,
      turn: `/portal/memory/${made.turnId}`,
      conversations: '/portal/conversations',
      chat: `/portal/conversations/chat?project_id=${made.projectId}&conversation_id=${made.conversationId}`,
      namespaces: '/portal/namespaces',
      keys: '/portal/keys',
      'key-new': '/portal/keys/new',
      'key-revoked': `/portal/keys/${made.revokedKeyId}`,
      'memory-store': '/portal/memory?store',
      key: `/portal/keys/${made.keyId}`,
      projects: '/portal/projects',
      'project-new': '/portal/projects/new',
      project: `/portal/projects/${made.projectId}`,
      events: '/portal/events',
      webhooks: '/portal/webhooks',
      'webhook-new': '/portal/webhooks/new',
      webhook: `/portal/webhooks/${made.webhookId}`,
      'webhook-silent': `/portal/webhooks/${made.silentWebhookId}`,
      'webhook-edit': `/portal/webhooks/${made.silentWebhookId}/edit`,
      delivery: `/portal/webhooks/${made.webhookId}/deliveries/${made.deliveryId}`,
      'delivery-retried': `/portal/webhooks/${made.silentWebhookId}/deliveries/${made.retriedDeliveryId}`,
      workspaces: '/portal/workspaces',
      workspace: `/portal/workspaces/${made.workspaceId}`,
      apps: '/portal/apps',
      'app-new': '/portal/apps/new',
      app: `/portal/apps/${made.appId}`,
      agents: '/portal/agents',
      connected: '/portal/connected',
      usage: '/portal/usage?span=hour',
      'usage-day': '/portal/usage',
      'usage-month': `/portal/usage?span=month&webhook=${made.webhookId}`,
      audit: '/portal/audit',
      'audit-reads': '/portal/audit?page_reads=include',
      erasures: '/portal/erasures',
      'erasure-new': '/portal/erasures/new?namespace=default',
      subjects: '/portal/erasures/subjects',
      erasure: `/portal/erasures/${made.erasureId}`,
      settings: '/portal/settings',
      people: '/portal/settings/people',
      'not-found': '/portal/projects/prj_nowhere',
      'sign-in': '/portal/sign-in',
      'sign-up': '/portal/sign-up',
      'reset-password': '/portal/reset-password?token=x',
    }),
  )
  const ask = { path: `/portal/keys/${made.keyId}`, button: 'Revoke this key', dialog: 'Revoke Support bot?' }
  const openings = new Map<string, Opening>([
    ['ask', ask],
    ['store', { path: '/portal/memory', button: 'Store a memory', dialog: 'Store a memory' }],
    ['palette', { path: '/portal', keys: 'Control+k', dialog: 'Go to' }],
  ])
  return { pages, states: statesOf(made.webhookId, made.workspaceId), openings }
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
