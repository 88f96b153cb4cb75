import { existsSync } from 'node:fs'
import axe, { type AxeResults } from 'axe-core'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium']
const executablePath = [process.env['CHROMIUM'] ?? '', ...PLACES].find((path) => path !== '' && existsSync(path))

if (executablePath === undefined && !process.env['CI']) {
  process.stderr.write(
    'No Chromium found: the browser tests are left out (apt-get install chromium, or set CHROMIUM).\n',
  )
}

/** Whether browser tests can run. Under CI they run regardless, and fail where there is no browser. */
export const hasBrowser = executablePath !== undefined || process.env['CI'] !== undefined

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/** A browser of its own, with everything that went wrong in it: console, scripts, CSP, strangers. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: origin, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`third party: ${request.url()}`)
  })
  return { page, faults }
}

/** How far the page is wider than its window, in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('Math.max(0, document.documentElement.scrollWidth - window.innerWidth)')

/** What axe-core finds serious, each with where. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const results = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))
}
