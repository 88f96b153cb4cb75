import { mkdir } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent, approve } from './support/agent.ts'
import { hasBrowser, launchBrowser, openPage, overflowOf, seriousFaults } from './support/browser.ts'
import { startReceiver } from './support/receiver.ts'
import { startServer, type Server } from './support/server.ts'
import { until } from '../support/until.ts'

/** A folder for screenshots of each page, in light and dark, at 320 and 1280 pixels. */
const SHOTS = process.env['SCREENSHOTS']
const PASSWORD = 'correct horse battery'

const TEXTS = [
  'Ada prefers tea over coffee, and never drinks either after four.',
  'The deployment window is on Tuesday at 14:00 UTC; the rollback takes six minutes.',
  'Grace is allergic to peanuts: check the menu before you book.',
  'Invoices above 10,000 need a second signature from finance.',
  'aVeryLongWordWithoutAnySpaceThatCouldPushTheLayoutWiderThanThePhoneThatItIsReadOn'.repeat(2),
]

let server: Server
let browser: Browser
let receiver: Awaited<ReturnType<typeof startReceiver>>
let token = ''
/** Every page, by the name of its screenshot. */
const pages = new Map<string, string>()

beforeAll(async () => {
  if (!hasBrowser) return
  server = await startServer({ vars: { LIMITS_FACTOR: '100' } })
  receiver = await startReceiver()
  browser = await launchBrowser()
  await furnish()
})
afterAll(async () => {
  receiver?.stop()
  await browser?.close()
  await server?.stop()
})

/** An account with content for every page, created through the public API. */
async function furnish(): Promise<void> {
  const account = await fetch(`${server.url}/auth/register-user`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'Ada Lovelace', email: 'ada@example.com', password: PASSWORD }),
  })
  token = ((await account.json()) as { session_token: string }).session_token
  const [project] = (await api('GET', '/v1/projects')).data
  await api('POST', '/api/projects', {
    name: 'Support bot',
    workspace_id: project.workspace_id,
    description: 'What our customers told us.',
    icon: '💬',
  })
  const webhook = await api('POST', '/api/events/subscriptions', {
    channels: ['memory', 'conversation'],
    delivery: { method: 'webhook', url: receiver.url },
  })
  // Nothing listens there: the deliveries wait for their next attempt.
  const { subscription_id: silent } = await api('POST', '/api/events/subscriptions', {
    channels: ['memory', 'orders'],
    events: ['memory.created', 'order.shipped'],
    filters: { project_id: project.id, namespace: 'default' },
    delivery: { method: 'webhook', url: 'http://127.0.0.1:9/hook' },
  })
  const items = []
  for (const text of TEXTS)
    items.push(await api('POST', '/api/memory/store', { content: text, tags: ['demo'], wait_ms: 5_000 }))
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
  const app = await api('POST', '/v1/apps', {
    name: 'Meeting notes',
    type: 'confidential',
    redirect_uris: ['https://app.example.com/callback'],
    scopes: ['read:memory', 'read:profile'],
  })
  await connect()
  const deliveries = await until(async () => {
    const { data } = await api('GET', `/v1/events/subscriptions/${webhook.subscription_id}/deliveries`)
    expect(data).not.toEqual([])
    return data
  })
  for (const [name, path] of Object.entries({
    overview: '/portal',
    memory: '/portal/memory',
    search: '/portal/memory?q=What+does+Ada+drink%3F#results',
    item: `/portal/memory/${items[0].id}`,
    keys: '/portal/keys',
    'key-new': '/portal/keys/new',
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
    workspaces: '/portal/workspaces',
    workspace: `/portal/workspaces/${project.workspace_id}`,
    apps: '/portal/apps',
    'app-new': '/portal/apps/new',
    app: `/portal/apps/${app.id}`,
    connected: '/portal/connected',
    usage: '/portal/usage?span=hour',
    audit: '/portal/audit',
    settings: '/portal/settings',
    'not-found': '/portal/projects/prj_nowhere',
    'sign-in': '/portal/sign-in',
    'sign-up': '/portal/sign-up',
    'reset-password': '/portal/reset-password?token=x',
  }))
    pages.set(name, path)
}

/** Somebody else's application, with Ada's consent and a token. */
async function connect(): Promise<void> {
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

async function api(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'X-Session-Token': token, 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return response.json()
}

async function signedIn(options: Parameters<typeof openPage>[2]): Promise<{ page: Page; faults: string[] }> {
  const opened = await openPage(browser, server.url, options)
  await opened.page.goto('/portal/sign-in')
  await opened.page.getByLabel('E-mail address', { exact: true }).fill('ada@example.com')
  await opened.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Sign in' }).click()
  await opened.page.waitForURL('**/portal')
  return opened
}

/** axe-core sees each scheme and each layout once. */
test.runIf(hasBrowser).each([
  { colorScheme: 'light', width: 320, withAxe: false },
  { colorScheme: 'dark', width: 320, withAxe: true },
  { colorScheme: 'light', width: 1280, withAxe: true },
  { colorScheme: 'dark', width: 1280, withAxe: false },
] as const)(
  'each page in $colorScheme at $width px: nothing overflows, axe finds nothing serious, the console is clean',
  { timeout: 180_000 },
  async ({ colorScheme, width, withAxe }) => {
    const { page, faults } = await signedIn({ colorScheme, viewport: { width, height: 800 } })
    const found: string[] = []
    for (const [name, path] of pages) {
      const response = await page.goto(path)
      if (response?.status() !== (name === 'not-found' ? 404 : 200)) found.push(`${name}: ${response?.status()}`)
      const overflow = await overflowOf(page)
      if (overflow > 0) found.push(`${name}: ${overflow} px too wide`)
      if (withAxe) found.push(...(await seriousFaults(page)).map((fault) => `${name}: ${fault}`))
      if (SHOTS) {
        await mkdir(SHOTS, { recursive: true })
        await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}-${width}.png`, fullPage: width === 320 })
      }
    }
    expect(found).toEqual([])
    // The browser reports the 404 that the test asks for.
    expect(faults.filter((fault) => !fault.includes('prj_nowhere'))).toEqual([])
    await page.context().close()
  },
)
