import { createServer, type Server as HttpServer } from 'node:http'
import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent, type Application } from './support/agent.ts'
import { axeFaults, hasBrowser, launchBrowser, openPage, overflowOf } from './support/browser.ts'
import { startServer, type Server } from './support/server.ts'

/** A folder for screenshots of each page, in light and dark, at 320 and 1280 pixels. */
const SHOTS = process.env['SCREENSHOTS']

let server: Server
let browser: Browser
let agent: Agent
/** The server of the application. Its callback redirects to another origin, as many do. */
let site: HttpServer
let callback: string
let app: Application

beforeAll(async () => {
  if (!hasBrowser) return
  server = await startServer({ vars: { LIMITS_FACTOR: '1000' } })
  agent = await Agent.signUp(server.url)
  site = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) response.writeHead(302, { Location: `/done${request.url.slice(9)}` })
    response.end('<title>Done</title>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  callback = `http://127.0.0.1:${(site.address() as AddressInfo).port}/callback`
  app = await agent.makeApp(callback, { name: 'Notes for Teams' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  site?.close()
  await server?.stop()
})

const authorizeUrl = (changes: Record<string, string> = {}): string =>
  `${server.url}/auth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: callback,
    scope: 'read:memory write:memory',
    state: 'state-1',
    ...changes,
  }).toString()}`

const open = (options: BrowserContextOptions = {}): Promise<{ page: Page; faults: string[] }> =>
  openPage(browser, server.url, options, [new URL(callback).origin])

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(agent.email)
  await page.getByLabel('Password').fill(agent.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function sessionOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name === '__Host-recollect_session')?.value ?? ''
}

test.runIf(hasBrowser).each([true, false])('from authorize to token, JavaScript %s', async (javaScriptEnabled) => {
  const { page, faults } = await open({ javaScriptEnabled })
  await page.goto(authorizeUrl())
  await signIn(page)
  const asked = 'Allow Notes for Teams to use your Recollect account?'
  await page.getByRole('heading', { name: asked, exact: true }).waitFor()
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringContaining('Read and search your memories'),
    expect.stringContaining('Store, change and delete memories for you'),
  ])
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === '__Host-recollect_session')
  expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Lax', path: '/' })
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/\/done/)
  const back = new URL(page.url())
  expect(back.searchParams.get('state')).toBe('state-1')
  expect(back.searchParams.get('iss')).toBe(server.url)
  const answer = await fetch(`${server.url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: app.client_id,
      client_secret: app.client_secret,
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: callback,
    }),
  })
  expect(await answer.json()).toMatchObject({ token_type: 'bearer', scope: 'read:memory write:memory' })
  expect(faults).toEqual([])
  await page.context().close()
})

test.runIf(hasBrowser)(
  'security 46: another account is one link away, in a session of its own; denying goes back with access_denied',
  async () => {
    const { page, faults } = await open()
    await page.goto(authorizeUrl())
    await signIn(page)
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    const before = await sessionOf(page)
    await page.getByRole('link', { name: 'Use another account' }).click()
    await signIn(page)
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
    expect(await sessionOf(page)).not.toBe(before)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(/\/done/)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
    expect(faults).toEqual([])
    await page.context().close()
  },
)

test.runIf(hasBrowser)('security 41: after logout the back button shows no consent page', async () => {
  const { page } = await open()
  await page.goto(authorizeUrl())
  await signIn(page)
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await fetch(`${server.url}/auth/logout`, { method: 'POST', headers: { 'X-Session-Token': await sessionOf(page) } })
  await page.goto(`${server.url}/health`)
  await page.goBack()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.waitForLoadState('load')
  expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0)
  await page.context().close()
})

test.runIf(hasBrowser)(
  'in a window of its own the application keeps hold of it: its callback can talk to its opener',
  async () => {
    const { page } = await open()
    await page.goto(callback.replace('/callback', '/'))
    const opened = page.waitForEvent('popup')
    await page.evaluate(`window.open(${JSON.stringify(authorizeUrl())})`)
    const popup = await opened
    await signIn(popup)
    await popup.getByRole('button', { name: 'Allow' }).click()
    await popup.waitForURL(/\/done/)
    expect(await popup.evaluate<boolean>('window.opener !== null')).toBe(true)
    await page.context().close()
  },
)

test.runIf(hasBrowser)('the pages are accessible and fit 320 pixels, in light and in dark', async () => {
  const scopes = 'read:memory write:memory read:projects'
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 1280]) {
      const { page } = await open({ colorScheme, viewport: { width, height: 800 } })
      const look = async (name: string) => {
        expect(await overflowOf(page), `${name} at ${width}`).toBe(0)
        expect(await axeFaults(page), `${name} at ${width}`).toEqual([])
        if (SHOTS) {
          await mkdir(SHOTS, { recursive: true })
          await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}-${width}.png`, fullPage: true })
        }
      }
      await page.goto(authorizeUrl({ scope: scopes }))
      await look('login')
      await signIn(page)
      await page.getByRole('button', { name: 'Allow' }).waitFor()
      await look('consent')
      await page.goto(authorizeUrl({ redirect_uri: 'https://elsewhere.example/' }))
      await look('error')
      await page.context().close()
    }
  }
})
