import { mkdir } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasBrowser, launchBrowser, openPage, overflowOf, seriousFaults } from './support/browser.ts'
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

test.runIf(hasBrowser).each([
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 320 },
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
] as const)(
  'each page of the reference in $colorScheme at $width px: no overflow, nothing serious for axe, a clean console',
  { timeout: 180_000 },
  async ({ colorScheme, width }) => {
    const { page, faults } = await openPage(browser, server.url, { colorScheme, viewport: { width, height: 800 } })
    const found: string[] = []
    for (const [name, { path, settled }] of Object.entries(PAGES)) {
      const response = await page.goto(path)
      if (response?.status() !== 200) found.push(`${name}: ${response?.status()}`)
      await page.getByText(settled).or(page.getByLabel(settled)).first().waitFor({ state: 'attached', timeout: 20_000 })
      await page.waitForLoadState('networkidle')
      const overflow = await overflowOf(page)
      if (overflow > 0) found.push(`${name}: ${overflow} px too wide`)
      found.push(...(await seriousFaults(page)).map((fault) => `${name}: ${fault}`))
      if (SHOTS) {
        await mkdir(SHOTS, { recursive: true })
        await page.screenshot({
          path: `${SHOTS}/${name}-${colorScheme}-${width}.png`,
          fullPage: name !== 'api-reference',
        })
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
    expect(page.url()).toContain('/api-reference/events#memory.created')
    const example = page.getByLabel('Example of memory.created')
    expect(await example.isVisible()).toBe(false)
    await page.getByText('Example of memory.created').click()
    expect(JSON.parse(await example.innerText())).toMatchObject({ type: 'memory.created', data: { version: 1 } })

    await page.getByRole('link', { name: 'Errors' }).click()
    expect(await page.getByRole('heading', { name: 'custom_id_taken' }).isVisible()).toBe(true)
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
