import { mkdir } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent } from './support/agent.ts'
import { axeFaults, brokenCells, hasBrowser, launchBrowser, openPage, overflowOf } from './support/browser.ts'
import { ADA, furnish, type Furnished } from './support/furnished.ts'
import { startReceiver } from './support/receiver.ts'
import { startServer, type Server } from './support/server.ts'
import { voiceFaults } from '../../tools/lint/voice.ts'
import { PAGE_ROUTES } from '../support/portal-pages.ts'

/** A folder for screenshots of each page, in light and dark, at 390 and 1280 pixels. */
const SHOTS = process.env['SCREENSHOTS']
let server: Server
let browser: Browser
let receiver: Awaited<ReturnType<typeof startReceiver>>
let furnished: Furnished
/** Pages that an account without anything sees. */
const EMPTY = ['', '/memory', '/keys', '/events', '/webhooks', '/workspaces', '/apps', '/connected', '/usage']

beforeAll(async () => {
  if (!hasBrowser) return
  server = await startServer({ vars: { LIMITS_FACTOR: '100' } })
  receiver = await startReceiver()
  browser = await launchBrowser()
  furnished = await furnish(server, receiver.url)
})
afterAll(async () => {
  receiver?.stop()
  await browser?.close()
  await server?.stop()
})

async function signedIn(
  options: Parameters<typeof openPage>[2],
  { email, password } = ADA,
): Promise<{ page: Page; faults: string[] }> {
  const opened = await openPage(browser, server.url, options)
  await opened.page.goto('/portal/sign-in')
  await opened.page.getByLabel('E-mail address', { exact: true }).fill(email)
  await opened.page.getByLabel('Password', { exact: true }).fill(password)
  await opened.page.getByRole('button', { name: 'Sign in' }).click()
  await opened.page.waitForURL('**/portal')
  return opened
}

/** What fits 320 pixels is shot at 390, the width of a phone of today. */
async function shoot(page: Page, name: string, width: number): Promise<void> {
  await mkdir(SHOTS ?? '', { recursive: true })
  const shown = width === 320 ? 390 : width
  await page.setViewportSize({ width: shown, height: 800 })
  await page.screenshot({ path: `${SHOTS}/${name}-${shown}.png`, fullPage: true })
  await page.setViewportSize({ width, height: 800 })
}

/** What is wrong with the page that is open. */
async function faultsOf(page: Page, withAxe: boolean): Promise<string[]> {
  const overflow = await overflowOf(page)
  return [
    ...(overflow > 0 ? [`${overflow} px too wide`] : []),
    ...(await brokenCells(page)).map((cell) => `a broken cell: ${cell}`),
    ...voiceFaults(await page.innerText('body')),
    ...(withAxe ? await axeFaults(page) : []),
  ]
}

test.runIf(hasBrowser)('each page of the routes is among those that the browser looks at', () => {
  const shown = Array.from(furnished.pages.values(), (path) =>
    path.replace(/[?#].*$/, '').replaceAll(/\/[a-z]{3}_\w+/g, '/:id'),
  )
  expect([...new Set(shown)].toSorted()).toEqual(PAGE_ROUTES.toSorted())
})

/** Of a page at 1280 × 900, in pixels. Lists, settings and forms with all their choices are as long as what they hold. */
const MAX_HEIGHT = 2_700
const LONG_PAGES =
  /^(?:memory|memory-store|keys|audit|audit-reads|webhooks?|webhook-.*|settings|workspaces?|apps|connected|projects|agents)$/

/** Each page is loaded once and seen in each scheme and at each width. axe-core sees each scheme and each layout once. */
const LOOKS = [
  { colorScheme: 'light', width: 320, withAxe: false },
  { colorScheme: 'dark', width: 320, withAxe: true },
  { colorScheme: 'dark', width: 1280, withAxe: false },
  { colorScheme: 'light', width: 1280, withAxe: true },
] as const

test.runIf(hasBrowser)(
  'each page, in light and dark, at 320 and 1280 px: nothing overflows, axe finds nothing, the console is clean',
  async () => {
    const { page, faults } = await signedIn({ colorScheme: 'light' })
    const found: string[] = []
    const look = async (name: string) => {
      for (const { colorScheme, width, withAxe } of LOOKS) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        found.push(...(await faultsOf(page, withAxe)).map((fault) => `${name}, ${colorScheme}, ${width}: ${fault}`))
        if (SHOTS) await shoot(page, `${name}-${colorScheme}`, width)
      }
    }
    for (const [name, path] of furnished.pages) {
      const response = await page.goto(path)
      if (response?.status() !== (name === 'not-found' ? 404 : 200)) found.push(`${name}: ${response?.status()}`)
      await page.setViewportSize({ width: 1280, height: 900 })
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      if (height > MAX_HEIGHT && !LONG_PAGES.test(name)) found.push(`${name}: ${height} px high`)
      await look(name)
    }
    for (const [name, reach] of furnished.states) {
      await reach(page)
      await look(name)
    }
    for (const [name, { path, button, keys, dialog }] of furnished.openings) {
      await page.goto(path)
      if (button) await page.getByRole('button', { name: button, exact: true }).click()
      if (keys) await page.keyboard.press(keys)
      await page.getByRole('dialog', { name: dialog }).waitFor()
      await look(`open-${name}`)
    }
    expect(found).toEqual([])
    // The browser reports the 404 and the 422 that the test asks for.
    expect(faults.filter((fault) => !/prj_nowhere|status of 422/.test(fault))).toEqual([])
    await page.context().close()
  },
)

test.runIf(hasBrowser).each([
  { colorScheme: 'dark', width: 320 },
  { colorScheme: 'light', width: 1280 },
] as const)(
  'each page of a new account in $colorScheme at $width px: nothing overflows, axe finds nothing, the console is clean',
  async ({ colorScheme, width }) => {
    const newcomer = await Agent.signUp(server.url)
    const { page, faults } = await signedIn({ colorScheme, viewport: { width, height: 800 } }, newcomer)
    const found: string[] = []
    for (const path of EMPTY) {
      expect((await page.goto(`/portal${path}`))?.status()).toBe(200)
      found.push(...(await faultsOf(page, true)).map((fault) => `${path}: ${fault}`))
    }
    expect(found).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  },
)

test.runIf(hasBrowser)('the plots show times of day in the time zone of the reader', async () => {
  const { page } = await signedIn({ timezoneId: 'Asia/Tokyo' })
  await page.goto('/portal/usage')
  await page.locator('#by-operation [data-zone]').getByText('GMT+9').waitFor()
  const clock = page.locator('#by-operation [data-clock]').first()
  const at = new Date((await clock.getAttribute('data-clock')) ?? '')
  expect(await clock.textContent()).toBe(new Date(at.getTime() + 9 * 3_600_000).toISOString().slice(11, 16))
  await page.context().close()
})
