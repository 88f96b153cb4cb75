import { mkdir } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent } from './support/agent.ts'
import { axeFaults, hasBrowser, launchBrowser, openPage, overflowOf } from './support/browser.ts'
import { startServer, type Server } from './support/server.ts'

/** A folder for screenshots of each page, in light and dark, at 320 and 1280 pixels. */
const SHOTS = process.env['SCREENSHOTS']

/** Each page, with an element that is there once the page is complete. */
const PAGES = {
  landing: { path: '/', settled: 'Store a memory, find it again' },
  'api-reference': { path: '/api-reference', settled: 'Search by keyword and by meaning' },
  events: { path: '/api-reference/events', settled: 'Example of memory.embedding_complete' },
  errors: { path: '/api-reference/errors', settled: 'custom_id_taken' },
}

/** Of axe-core. At the width of a phone the explorer, whose markup is not ours, has a page header beside ours. */
const RULES_OF_THE_EXPLORER = ['landmark-no-duplicate-banner', 'landmark-unique']

let server: Server
let browser: Browser

beforeAll(async () => {
  if (!hasBrowser) return
  server = await startServer()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

/** axe-core sees each scheme and each layout once. The explorer takes its scheme when it is loaded, its layout at any time. */
test.runIf(hasBrowser).each([
  { colorScheme: 'dark', width: 320, other: 1280 },
  { colorScheme: 'light', width: 1280, other: 320 },
] as const)(
  'each page of the reference in $colorScheme at $width px, and at $other: no overflow, axe finds nothing, a clean console',
  async ({ colorScheme, width, other }) => {
    const { page, faults } = await openPage(browser, server.url, { colorScheme })
    const found: string[] = []
    for (const [name, { path, settled }] of Object.entries(PAGES)) {
      await page.setViewportSize({ width, height: 800 })
      const response = await page.goto(path)
      if (response?.status() !== 200) found.push(`${name}: ${response?.status()}`)
      await page.getByText(settled).or(page.getByLabel(settled)).first().waitFor({ state: 'attached' })
      await page.waitForLoadState('networkidle')
      const ignored = name === 'api-reference' ? RULES_OF_THE_EXPLORER : []
      found.push(...(await axeFaults(page, ignored)).map((fault) => `${name}: ${fault}`))
      for (const shown of [width, other]) {
        await page.setViewportSize({ width: shown, height: 800 })
        const overflow = await overflowOf(page)
        if (overflow > 0) found.push(`${name} at ${shown}: ${overflow} px too wide`)
        if (SHOTS) {
          await mkdir(SHOTS, { recursive: true })
          await page.screenshot({
            path: `${SHOTS}/${name}-${colorScheme}-${shown}.png`,
            fullPage: name !== 'api-reference',
          })
        }
      }
    }
    expect(found).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  },
)

test.runIf(hasBrowser)(
  'without JavaScript everything is there but the explorer, which says where its document is',
  async () => {
    const { page, faults } = await openPage(browser, server.url, { javaScriptEnabled: false })
    await page.goto('/')
    await page.getByRole('link', { name: 'Events', exact: true }).first().click()
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'memory.created' }).click()
    await page.waitForURL('**/api-reference/events#memory.created')
    const example = page.getByLabel('Example of memory.created')
    await example.waitFor({ state: 'hidden' })
    await page.getByText('Example of memory.created').click()
    expect(JSON.parse(await example.innerText())).toMatchObject({ type: 'memory.created', data: { version: 1 } })

    await page.getByRole('link', { name: 'Errors' }).click()
    await page.getByRole('heading', { name: 'custom_id_taken' }).waitFor()
    await page.getByRole('link', { name: 'API', exact: true }).click()
    const address = await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href')
    expect(await (await page.request.get(address ?? '')).json()).toMatchObject({ openapi: '3.1.0' })
    expect(faults).toEqual([])
    await page.context().close()
  },
)

test.runIf(hasBrowser)('a request is tried from the API reference, in the browser itself', async () => {
  const { page, faults } = await openPage(browser, server.url)
  await page.goto('/api-reference#tag/service/GET/health')
  await page.getByRole('button', { name: /Test Request.*get \/health/s }).click()
  const answered = page.waitForResponse(`${server.url}/health`)
  await page.getByRole('button', { name: /^Send/ }).first().click()
  expect(await (await answered).json()).toEqual({ status: 'ok' })
  await page.getByText('200 OK').first().waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test.runIf(hasBrowser)('an operation shows a request and the answer to it', async () => {
  const { page, faults } = await openPage(browser, server.url)
  await page.goto('/api-reference#tag/apps/POST/v1/apps')
  await page.getByText('"redirect_uris"').first().waitFor()
  const shown = await page.locator('section', { hasText: 'Create an OAuth application' }).last().innerText()
  expect(shown).toContain('"name": "Notes"')
  expect(shown).toContain('"client_id": "app_01K8E3Z4T7Q9V6N2M5B8C1D0FG"')
  expect(faults).toEqual([])
  await page.context().close()
})

test.runIf(hasBrowser)('the API reference begins with an API key and runs a search with it (contract §7)', async () => {
  const key = await (await Agent.signUp(server.url)).makeKey(['read:memory'])
  const { page, faults } = await openPage(browser, server.url)
  await page.goto('/api-reference')
  await page.getByText('Start with an API key.').waitFor()
  expect(await page.getByRole('combobox', { name: 'Name' }).first().innerText()).toBe('X-API-Key')
  await page.getByPlaceholder('QUxM').first().fill(key)
  await page
    .getByRole('link', { name: /Search by keyword and by meaning/ })
    .first()
    .click()
  await page.getByRole('button', { name: /Test Request.*post \/api\/memory\/search/s }).click()
  const answered = page.waitForResponse(`${server.url}/api/memory/search`)
  await page.getByRole('button', { name: /^Send/ }).first().click()
  const answer = await answered
  expect(answer.request().headers()['x-api-key']).toBe(key)
  expect(answer.status()).toBe(200)
  expect(await answer.json()).toMatchObject({ results: [], total: 0 })
  expect(faults).toEqual([])
  await page.context().close()
})
