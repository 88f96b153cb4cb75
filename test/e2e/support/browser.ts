import axe, { type AxeResults } from 'axe-core'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { findChromium, runsBrowserTests } from './chromium.ts'

const executablePath = findChromium(process.env)

export const hasBrowser = runsBrowserTests(process.env)

/** `args`: further arguments of Chromium. */
export const launchBrowser = (args: readonly string[] = []): Promise<Browser> =>
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
      ...args,
    ],
  })

/** A new browser that records errors: console, scripts, CSP, and requests to other origins except `known`. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
  known: readonly string[] = [],
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: origin, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
  page.on('request', (request) => {
    if (![origin, ...known].includes(new URL(request.url()).origin)) faults.push(`third party: ${request.url()}`)
  })
  return { page, faults }
}

/** By how many pixels the page is wider than its window, or a card's content than the card. */
export async function overflowOf(page: Page): Promise<number> {
  // What is looked for may be there before the stylesheet.
  await page.waitForLoadState('load')
  return page.evaluate<number>(
    `Math.max(0, document.documentElement.scrollWidth - window.innerWidth,
      ...Array.from(document.querySelectorAll('.card'), (card) => card.scrollWidth - card.clientWidth))`,
  )
}

/** Pages whose later documents have axe-core from their start: the browser compiles it once for all of them. */
const hasAxe = new WeakSet<Page>()

/** The findings of axe-core, each with its element. `ignored`: ids of rules. */
export async function axeFaults(page: Page, ignored: readonly string[] = []): Promise<string[]> {
  await page.waitForLoadState('load')
  // A dialog that still fades in has paler colours.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
    .map((animation) => animation.finished))`)
  if (!hasAxe.has(page)) {
    hasAxe.add(page)
    await page.addInitScript(axe.source)
    await page.evaluate(axe.source)
  }
  const results = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return results.violations
    .filter(({ id }) => !ignored.includes(id))
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))
}

/**
 * Cells of a table that is drawn as cards, in which something stands under the label: what is in such a cell beside its
 * label is one thing, or a line below it.
 */
export const brokenCells = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    `Array.from(document.querySelectorAll('td[data-label]'))
      .filter((cell) => getComputedStyle(cell).display === 'grid')
      .filter((cell) => Array.from(cell.childNodes).filter((node) => node.textContent.trim() !== ''
        && !(node.nodeType === Node.ELEMENT_NODE && node.matches('.table-sub, .sr-only'))).length > 1)
      .map((cell) => cell.dataset.label + ': ' + cell.textContent)`,
  )
