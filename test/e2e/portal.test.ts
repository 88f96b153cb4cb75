import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SAMPLE_TEXT } from '../../src/core/sample.ts'
import { hasBrowser, launchBrowser, openPage } from './support/browser.ts'
import { codeOf, PASSWORD, signUp } from './support/portal.ts'
import { startReceiver } from './support/receiver.ts'
import { startServer, type Server } from './support/server.ts'

const run = promisify(execFile)

interface Delivered {
  events: { type: string }[]
}

let server: Server
let browser: Browser

beforeAll(async () => {
  if (!hasBrowser) return
  server = await startServer({ vars: { LIMITS_FACTOR: '100', LOG_REQUESTS: 'true' } })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

/** Runs a command line from a page and returns body and status. */
async function curl(line: string): Promise<{ status: number; body: any }> {
  const { stdout } = await run('bash', ['-c', `${line} --silent --write-out '\\n%{http_code}'`])
  const at = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(at + 1)), body: JSON.parse(stdout.slice(0, at)) }
}

test.runIf(hasBrowser)('from sign-up to a revoked key, all in the portal', async () => {
  const { page, faults } = await openPage(browser, server.url)
  const receiver = await startReceiver({ reply: '<script>alert("from the receiver")</script>' })
  await signUp(page, 'journey@example.com')

  // A key, shown once, with a command line that works.
  await page.getByRole('link', { name: 'Create key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Support bot')
  await page.getByRole('button', { name: 'Create key' }).click()
  const secret = await codeOf(page, 'API key')
  const line = await codeOf(page, 'A request with this key: curl')
  expect(secret).toMatch(/^rck_test_[0-9a-z]{54}$/)
  await page.waitForURL('**/portal/keys/key_*')
  expect(page.url()).not.toContain(secret)
  const stored = await curl(line)
  expect({ status: stored.status, text: stored.body.content.text }).toEqual({
    status: 201,
    text: SAMPLE_TEXT,
  })
  const keyPage = page.url()
  await page.reload()
  expect(await page.content()).not.toContain(secret)

  // A webhook, before the events that it receives.
  await page.goto('/portal/webhooks/new')
  await page.getByLabel('Address of your server', { exact: true }).fill(receiver.url)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('button', { name: 'Show signing secret' }).waitFor()
  const webhookPage = page.url().replace(/[?#].*/, '')
  await page.getByRole('button', { name: 'Show signing secret' }).click()
  const signingSecret = await codeOf(page, 'Signing secret')
  expect(signingSecret).toMatch(/^whsec_/)

  // Store a memory, watch its embedding, search for it.
  await page.getByRole('link', { name: 'Memory', exact: true }).click()
  await page.getByRole('button', { name: 'Store a memory', exact: true }).click()
  await page.getByLabel('Text', { exact: true }).fill('The deployment window is on Tuesday at 14:00.')
  await page.getByRole('button', { name: 'Store', exact: true }).click()
  const newest = page.locator('#memories li').first().filter({ hasText: 'The deployment window' })
  await newest.locator('[data-status="completed"]').waitFor()
  await page.getByLabel('Question or keywords', { exact: true }).fill('deployment on Tuesday')
  await page.getByRole('radio', { name: 'Semantic' }).check()
  await page.getByRole('button', { name: 'Search' }).click()
  const best = page.locator('#results ol > li').first().filter({ hasText: 'The deployment window' })
  await best.getByText('Why this result').click()
  expect(await best.innerText()).toMatch(/Its meaning is close\.[^]*similarity 0\./)

  // The delivery is signed and listed with its attempt; the receiver's response is escaped.
  const heard = () =>
    receiver.received.map(({ body, headers }) => new Webhook(signingSecret).verify(body, headers) as Delivered)
  await expect.poll(() => heard().map(({ events }) => events[0]?.type)).toContain('memory.created')
  await expect
    .poll(async () => {
      await page.goto(webhookPage)
      return page.getByRole('row', { name: 'memory.created' }).innerText()
    })
    .toContain('Delivered')
  await page.getByRole('row', { name: 'memory.created' }).getByRole('link').click()
  expect(await codeOf(page, 'Response to attempt 1')).toBe('<script>alert("from the receiver")</script>')

  // What was sent is shown beside it, and its command line sends it again, signed.
  const before = receiver.received.length
  await run('bash', ['-c', await codeOf(page, 'Command that sends it')])
  expect(receiver.received.length).toBe(before + 1)
  expect(heard().at(-1)?.events[0]?.type).toBe('memory.created')
  const id = receiver.received.at(-1)?.headers['webhook-id']
  const bodies = receiver.received.filter(({ headers }) => headers['webhook-id'] === id).map(({ body }) => body)
  expect([bodies.length, new Set(bodies).size]).toEqual([2, 1])

  // After the revocation the same command line is refused.
  await page.goto(keyPage)
  await page.getByRole('button', { name: 'Revoke this key' }).click()
  const question = page.getByRole('dialog', { name: 'Revoke Support bot?' })
  await question.getByText('This cannot be undone.').waitFor()
  await question.getByRole('button', { name: 'Revoke this key' }).click()
  await page.getByText('The key was revoked').waitFor()
  expect(await curl(line)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })

  // After the sign-out, going back shows nothing.
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/portal/sign-in')
  await page.goBack()
  await page.waitForURL('**/portal/sign-in**')
  expect(faults).toEqual([])

  // security 24: none of the secrets is in what the Worker logged.
  await expect.poll(() => server.log()).toContain('"route":"/portal/sign-out"')
  for (const value of [secret, signingSecret, PASSWORD]) expect(server.log()).not.toContain(value)
  receiver.stop()
  await page.context().close()
})

test.runIf(hasBrowser)('the live stream shows an event that its own form published, and later ones', async () => {
  const { page, faults } = await openPage(browser, server.url)
  await signUp(page, 'stream@example.com')
  await page.goto('/portal/events')
  await page.getByText('Connected', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText(/Published as evt_/).waitFor()
  await page.getByRole('list', { name: 'Events, newest first' }).getByText('message.new').waitFor()

  const other = await page.context().newPage()
  await other.goto('/portal/memory')
  await other.getByRole('button', { name: 'Store a memory', exact: true }).click()
  await other.getByLabel('Text', { exact: true }).fill('An event for the stream.')
  await other.getByRole('button', { name: 'Store', exact: true }).click()
  await page.getByRole('list', { name: 'Events, newest first' }).getByText('memory.created').waitFor()
  await page.getByLabel('Show only rows with', { exact: true }).fill('memory.created')
  const published = page.getByRole('list', { name: 'Events, newest first' }).getByText('message.new')
  await published.waitFor({ state: 'hidden' })
  expect(faults).toEqual([])
  await page.context().close()
})

test.runIf(hasBrowser)("a memory's page follows its embedding and lists its own events, no other's", async () => {
  const { page, faults } = await openPage(browser, server.url)
  await signUp(page, 'item@example.com')
  const store = async (from: Page, text: string): Promise<void> => {
    await from.goto('/portal/memory')
    await from.getByRole('button', { name: 'Store a memory', exact: true }).click()
    await from.getByLabel('Text', { exact: true }).fill(text)
    await from.getByRole('button', { name: 'Store', exact: true }).click()
    await from.locator('#memories li').first().locator('[data-status="completed"]').waitFor()
  }
  await store(page, 'The deployment window is on Tuesday.')
  await page.locator('#memories li').first().getByRole('link').click()
  await page.getByText('Connected', { exact: true }).waitFor()
  // The page receives this event too and does not show it.
  await store(await page.context().newPage(), 'Somebody else drinks tea.')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('The deployment window is on Wednesday.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const embedding = page.locator('main [data-status="completed"]')
  await embedding.waitFor()
  expect(await embedding.innerText()).toMatch(/Completed\s+by embedded\//)
  const history = page.getByRole('list', { name: 'History, newest first' })
  await history.getByText('memory.embedding_complete').waitFor()
  await history.getByText('memory.updated').waitFor()
  const id = page.url().split('/').at(-1) ?? ''
  const events = await history
    .getByRole('listitem')
    .filter({ hasText: /memory\.[a-z]/ })
    .all()
  expect(events.length).toBeGreaterThan(1)
  for (const row of events) expect(await row.textContent()).toContain(id)
  await page.getByRole('link', { name: 'Who read and changed it' }).click()
  await page.waitForURL(/\/portal\/audit\?resource_id=mem_/)
  expect(faults).toEqual([])
  await page.context().close()
})

test.runIf(hasBrowser)('many events of a memory push out the oldest events, not its earlier texts', async () => {
  const { page, faults } = await openPage(browser, server.url)
  await signUp(page, 'many@example.com')
  await page.goto('/portal/memory')
  await page.getByRole('button', { name: 'Store a memory', exact: true }).click()
  await page.getByLabel('Text', { exact: true }).fill('Ada drinks tea.')
  await page.getByRole('button', { name: 'Store', exact: true }).click()
  const href = (await page.locator('#memories li').first().getByRole('link').getAttribute('href')) ?? ''
  await page.routeWebSocket(/realtime/, (socket) => {
    for (let nth = 1; nth <= 205; nth += 1) {
      const data = { memory_id: href.split('/').at(-1), version: nth }
      const event = {
        id: `evt_${nth}`,
        type: 'memory.updated',
        channel: 'memory',
        timestamp: '2026-11-26T00:00:00Z',
        data,
      }
      socket.send(JSON.stringify(event))
    }
  })
  await page.goto(href)
  const history = page.getByRole('list', { name: 'History, newest first' })
  await history.getByText('evt_205', { exact: true }).waitFor()
  expect(await history.locator('summary').allInnerTexts()).not.toContain('evt_5')
  expect(await history.getByText('evt_6', { exact: true }).count()).toBe(1)
  expect(await history.getByText('Stored', { exact: true }).count()).toBe(1)
  expect(faults).toEqual([])
  await page.context().close()
})

test.runIf(hasBrowser)('without JavaScript: sign up, make a key, store, search, sign out', async () => {
  const { page, faults } = await openPage(browser, server.url, { javaScriptEnabled: false })
  await signUp(page, 'plain@example.com')
  await page.goto('/portal/keys/new')
  await page.getByLabel('Name', { exact: true }).fill('Plain')
  await page.getByRole('button', { name: 'Create key' }).click()
  expect(await codeOf(page, 'API key')).toMatch(/^rck_test_/)
  await page.waitForURL('**/portal/keys/key_*')
  const keyPage = page.url()
  await page.getByRole('radio', { name: 'Python' }).check()
  expect(await codeOf(page, 'A request with this key: Python')).toContain('from recollect import Recollect')
  // The stylesheet hides what needs a script; the document may be there before it.
  await page.waitForLoadState('load')
  expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0)
  await page.goto('/portal/memory')
  await page.getByRole('button', { name: 'Store a memory', exact: true }).click()
  await page.getByLabel('Text', { exact: true }).fill('Grace is allergic to peanuts.')
  await page.getByRole('button', { name: 'Store', exact: true }).click()
  await page.locator('#memories li').filter({ hasText: 'Grace is allergic' }).waitFor()
  await page.getByLabel('Question or keywords', { exact: true }).fill('peanuts')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('#results').filter({ hasText: 'Grace is allergic' }).waitFor()
  await page.goto(keyPage)
  await page.getByRole('button', { name: 'Revoke this key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke this key' }).click()
  await page.getByText('The key was revoked').waitFor()
  await page.goto('/portal/webhooks/new')
  await page.getByLabel('Address of your server', { exact: true }).fill('http://127.0.0.1:9/hook')
  await page.getByText('Only some events of memory').click()
  await page.getByRole('checkbox', { name: 'memory.created' }).check()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('checkbox', { name: 'memory.deleted' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('definition').getByText('memory.created, memory.deleted', { exact: true }).waitFor()
  await page.goto('/portal/events')
  expect(await page.locator('main').innerText()).toContain('The live stream needs JavaScript')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/portal/sign-in')
  expect(faults).toEqual([])
  await page.context().close()
})
