// `npm run screenshots`: writes the pictures of the portal in docs/images, from the furnished account in a real browser.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser, openPage } from '../test/e2e/support/browser.ts'
import { ADA, furnish } from '../test/e2e/support/furnished.ts'
import { startReceiver } from '../test/e2e/support/receiver.ts'
import { startServer } from '../test/e2e/support/server.ts'
import { helpIfAsked } from './help.ts'
import { ROOT } from './wrangler.ts'

helpIfAsked(`Writes docs/images/portal-*.png from the portal of the furnished account. Needs Chromium, as the browser tests do.

  npm run screenshots`)

/** The address in the pictures, whatever port the server has. */
const SHOWN = 'localhost:8787'
const SIZE = { width: 1280, height: 900 }
const MAX_BYTES = 150_000

const server = await startServer({ vars: { LIMITS_FACTOR: '100' } })
const receiver = await startReceiver()
const browser = await launchBrowser([`--host-resolver-rules=MAP ${SHOWN} ${new URL(server.url).host}`])
try {
  const { pages } = await furnish(server, receiver.url)
  const pictures = {
    'portal-memory': pages.get('item'),
    'portal-search': '/portal/memory?q=Where+did+Grace+move+to%3F',
    'portal-agents': pages.get('agents'),
    'portal-usage': pages.get('usage-day'),
  }
  const { page } = await openPage(browser, `http://${SHOWN}`, { viewport: SIZE, colorScheme: 'light' })
  await page.goto('/portal/sign-in')
  await page.getByLabel('E-mail address', { exact: true }).fill(ADA.email)
  await page.getByLabel('Password', { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/portal')
  for (const [name, address = ''] of Object.entries(pictures)) {
    const path = join(ROOT, `docs/images/${name}.png`)
    // The second look is shown: the first search of an isolate takes longer than all others.
    for (let looks = 0; looks < 2; looks += 1) await page.goto(address)
    await page.getByText('Connecting', { exact: true }).waitFor({ state: 'hidden' })
    await page.screenshot({ path })
    const { size } = statSync(path)
    console.log(`${path}: ${size} bytes`)
    if (size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes.`)
  }
} finally {
  await browser.close()
  receiver.stop()
  await server.stop()
}
