import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent } from './support/agent.ts'
import { axeFaults, hasBrowser, launchBrowser, openPage } from './support/browser.ts'
import { CLIENTS, Provider } from './support/mcp-clients.ts'
import { startServer, type Server } from './support/server.ts'

const DOCUMENT = 'https://agent.example/oauth/client.json'
const PRIVATE = 'https://inside.example/client.json'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback'

let server: Server
let browser: Browser
let person: Agent
/** The applications on the computer of the person: at 127.0.0.1, and at [::1] where there is one. */
let sites: { site: HttpServer; callback: string }[]
/** What the Worker asked other hosts for. */
const asked: string[] = []

beforeAll(async () => {
  if (!hasBrowser) return
  server = await startServer({ vars: { LIMITS_FACTOR: '1000' }, outbound: otherHosts })
  person = await Agent.signUp(server.url)
  sites = [await listen('127.0.0.1'), await listen('::1')].filter((one) => one !== null)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  for (const { site } of sites ?? []) site.close()
  await server?.stop()
})

/** The hosts that the Worker reaches: a resolver, and the one of the agent's document. */
function otherHosts(url: URL) {
  asked.push(url.origin + url.pathname)
  if (url.hostname === 'cloudflare-dns.com') {
    const address = url.searchParams.get('name') === 'inside.example' ? '10.0.0.7' : '93.184.216.34'
    const Answer = url.searchParams.get('type') === 'A' ? [{ type: 1, data: address }] : []
    return { body: JSON.stringify({ Status: 0, Answer }) }
  }
  return {
    headers: { 'Cache-Control': 'max-age=600' },
    body: JSON.stringify({
      client_id: url.href,
      client_name: 'Agent of Example',
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'https://agent.example/jwks.json',
    }),
  }
}

async function listen(host: string): Promise<{ site: HttpServer; callback: string } | null> {
  const site = createServer((_, response) => response.end('<title>Done</title>'))
  const heard = await new Promise<boolean>((resolve) => {
    site.once('error', () => resolve(false))
    site.listen(0, host, () => resolve(true))
  })
  if (!heard) return null
  const { port } = site.address() as AddressInfo
  return { site, callback: `http://${host.includes(':') ? `[${host}]` : host}:${port}/callback` }
}

async function open(url: URL | string, known: string[] = []): Promise<{ page: Page; faults: string[] }> {
  const opened = await openPage(browser, server.url, {}, known)
  await opened.page.goto(String(url))
  await opened.page.getByLabel('E-mail address').fill(person.email)
  await opened.page.getByLabel('Password').fill(person.password)
  await opened.page.getByRole('button', { name: 'Sign in' }).click()
  await opened.page.getByRole('button', { name: 'Allow' }).waitFor()
  return opened
}

async function register(redirect_uris: string[]): Promise<string> {
  const response = await fetch(`${server.url}/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Agent', redirect_uris, token_endpoint_auth_method: 'none' }),
  })
  return ((await response.json()) as { client_id: string }).client_id
}

const authorizeUrl = (client_id: string, redirect_uri: string): string =>
  `${server.url}/auth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    state: 'state-1',
    scope: 'read:memory',
    resource: `${server.url}/mcp`,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  }).toString()}`

const ways = [
  { way: 'by registration', document: undefined, says: 'This application registered itself' },
  { way: 'by its metadata document', document: DOCUMENT, says: 'Its name comes from agent.example' },
]

describe.runIf(hasBrowser).each(CLIENTS)('$name', ({ open: connectTo }) => {
  test.each(ways)(
    'contract §2: $way from the bare URL, consent in a browser, tools, refresh, revocation',
    async ({ document, says }) => {
      const callback = sites[0]?.callback ?? ''
      const provider = new Provider(callback, document)
      const url = `${server.url}/mcp`
      const first = connectTo(url, { provider })
      await expect(first.connect()).rejects.toThrow(/unauthorized/i)
      expect(provider.sentTo?.searchParams.get('client_id')).toBe(document ?? provider.info.client_id)
      expect(provider.sentTo?.searchParams.get('scope')).toBe('read:memory write:memory read:projects read:profile')

      const { page, faults } = await open(provider.sentTo ?? '', [new URL(callback).origin])
      const text = await page.locator('main').innerText()
      expect(text).toContain('You will go on to an application on this computer')
      expect(text).toContain(says)
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(/\/callback\?code=/)
      expect(faults).toEqual([])
      const back = new URL(page.url())
      await page.context().close()

      await first.finishAuth(back.searchParams.get('code') ?? '', back.searchParams.get('iss') ?? '')
      const connection = connectTo(url, { provider })
      await connection.connect()
      expect((await connection.use('whoami', {})).result.email).toBe(person.email)
      const before = provider.granted.refresh_token
      provider.granted = { ...provider.granted, access_token: `rca_${'0'.repeat(54)}` }
      expect((await connection.use('list_projects', {})).isError).toBe(false)
      expect(provider.granted.refresh_token).not.toBe(before)
      expect(await person.statusWith(provider.granted.access_token)).toBe(401)

      const { client_id } = provider.info
      const revoked = await fetch(`${server.url}/auth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token: provider.granted.refresh_token, client_id }),
      })
      expect(revoked.status).toBe(200)
      await expect(connection.use('list_projects', {})).rejects.toThrow(/unauthorized/i)
      await connection.close()
    },
  )
})

describe.runIf(hasBrowser)('the buttons of the consent page', () => {
  test('a document is fetched once, from a public address; one at a private address is refused unasked', async () => {
    const Cookie = `__Host-recollect_session=${person.session}`
    const visit = (client: string) =>
      fetch(authorizeUrl(client, 'http://127.0.0.1:1/callback'), { headers: { Cookie } })
    for (let time = 0; time < 2; time++) expect((await visit(DOCUMENT)).status).toBe(200)
    expect(asked.filter((url) => url === DOCUMENT)).toHaveLength(1)
    const refused = await visit(PRIVATE)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('its host is not public')
    expect(asked).not.toContain(PRIVATE)
  })

  test.each(['Allow', 'Cancel'])(
    '%s leads to a loopback redirect with any port, at 127.0.0.1 and [::1]',
    async (name) => {
      for (const { callback } of sites) {
        const registered = callback.replace(/:\d+\/callback$/, '/callback')
        const client = await register([registered])
        const { page, faults } = await open(authorizeUrl(client, callback), [new URL(callback).origin])
        await page.getByRole('button', { name }).click()
        await page.waitForURL((url) => url.href.startsWith(callback))
        expect(new URL(page.url()).searchParams.has(name === 'Allow' ? 'code' : 'error')).toBe(true)
        expect(faults).toEqual([])
        await page.context().close()
      }
    },
  )

  test.each(['Allow', 'Cancel'])('%s leads to the private-use redirect of Cursor', async (name) => {
    const { page, faults } = await open(authorizeUrl(await register([CURSOR]), CURSOR), ['null'])
    const left = page.waitForEvent('request', (request) => request.url().startsWith(CURSOR))
    await page.getByRole('button', { name }).click({ noWaitAfter: true })
    const sent = new URL((await left).url())
    expect(sent.searchParams.has(name === 'Allow' ? 'code' : 'error')).toBe(true)
    expect(sent.searchParams.get('state')).toBe('state-1')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a page whose policy does not name the scheme would hold the answer back', async () => {
    const { page, faults } = await open(authorizeUrl(await register([CURSOR]), CURSOR), ['null'])
    let left = false
    page.on('request', (request) => (left ||= request.url().startsWith(CURSOR)))
    await page.route(
      '**/auth/authorize?*',
      async (route) => {
        const response = await route.fetch()
        const policy = response.headers()['content-security-policy']?.replace(' cursor:', '') ?? ''
        await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } })
      },
      { times: 1 },
    )
    await page.reload()
    await page.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true })
    await expect.poll(() => faults.join()).toContain('Content Security Policy')
    expect(left).toBe(false)
    await page.context().close()
  })
})
