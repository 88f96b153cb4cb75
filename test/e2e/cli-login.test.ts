import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newRepository } from '../../client/test/cli/support/repository.ts'
import { Seeded } from '../support/secrets/random.ts'
import { githubToken } from '../support/secrets/secrets.ts'
import { Agent } from './support/agent.ts'
import { allowLogin, filesBelow, storedTurns, transcriptOf, turnOf } from './support/agent-hooks.ts'
import { hasBrowser, launchBrowser, openPage } from './support/browser.ts'
import { ctrlC, installCli, leaksOf, type Cli } from './support/cli.ts'
import { startServer, type Server } from './support/server.ts'

const MEMORY = ['read:memory', 'write:memory', 'read:profile', 'read:events']

let server: Server
let browser: Browser
let agent: Agent
const clis: Cli[] = []

beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '20' } })
  agent = await Agent.signUp(server.url)
  if (hasBrowser) browser = await launchBrowser()
})
afterAll(async () => {
  for (const cli of clis) await cli.remove()
  await browser?.close()
  await server.stop()
})

async function install(env: Record<string, string> = {}): Promise<Cli> {
  const cli = await installCli(env)
  clis.push(cli)
  return cli
}

const withKey = async (scopes: string[]) =>
  install({ RECOLLECT_URL: server.url, RECOLLECT_API_KEY: await agent.makeKey(scopes) })

test.runIf(hasBrowser)(
  'security 71: login in a real browser, then commands, a refresh by two at once, and logout',
  async () => {
    const cli = await install()
    const login = cli.terminal(['login', '--url', server.url])
    const address = await cli.openedPage()
    expect(new URL(address).hostname).toBe('127.0.0.1')
    expect(address).not.toMatch(/state|code_challenge|client_id/)

    const { page, faults } = await openPage(browser, server.url, {}, [new URL(address).origin])
    await page.goto(address)
    await page.getByLabel('E-mail address').fill(agent.email)
    await page.getByLabel('Password').fill(agent.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    const asked = await page.locator('main').innerText()
    expect(asked).toContain('Recollect command line')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Back to the command line' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
    expect(await login.ended).toBe(0)
    expect(login.output()).toContain(`Logged in at ${server.url} as ${agent.email}.`)

    const path = join(cli.home, '.config/recollect/credentials.json')
    const stored = async () => JSON.parse(await readFile(path, 'utf8')).deployments[server.url]
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const first = await stored()
    expect(first.oauth.scope.split(' ').sort()).toEqual([...MEMORY].sort())
    expect(login.output()).not.toContain(first.oauth.access_token)
    expect(await leaksOf([first.oauth.access_token, first.oauth.refresh_token])).toEqual([])

    expect(JSON.parse((await cli.run(['whoami'])).stdout)).toMatchObject({
      method: 'login',
      user: { email: agent.email },
    })
    // Both find a token that ends soon.
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/"expires_at": \d+/, '"expires_at": 0'))
    const both = await Promise.all([cli.run(['list']), cli.run(['list'])])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const second = await stored()
    expect(second.oauth.refresh_token).not.toBe(first.oauth.refresh_token)
    expect(second.client_id).toBe(first.client_id)
    // A token that the service refuses is refreshed too.
    await writeFile(
      path,
      JSON.stringify(JSON.parse(await readFile(path, 'utf8'))).replace(
        second.oauth.access_token,
        first.oauth.access_token.slice(0, -3) + 'AAA',
      ),
    )
    expect((await cli.run(['whoami'])).code).toBe(0)

    expect((await cli.run(['logout'])).code).toBe(0)
    const after = await stored()
    expect(after).toEqual({ client_id: first.client_id })
    expect((await cli.run(['whoami'])).code).toBe(3)
    expect(await agent.statusWith(second.oauth.access_token)).toBe(401)
  },
)

test.runIf(hasBrowser)(
  'login without a browser here: the address is printed, and the one it ended at is pasted',
  async () => {
    const cli = await install()
    const login = cli.terminal(['login', '--no-browser', '--url', server.url])
    await login.shows('paste the address of that page here')
    const printed = stripVTControlCharacters(login.output())
    const url = /^ {2}(http\S+)/m.exec(printed)?.[1] ?? ''
    login.type('http://127.0.0.1:1/callback?code=other\r')
    await login.shows('That address is not from this login')
    const back = await agent.approve(url)
    login.type(`${back.href}\r`)
    expect(await login.ended).toBe(0)
    expect(JSON.parse((await cli.run(['whoami'])).stdout).user.email).toBe(agent.email)

    // A second login uses the application of the first, and ends the first.
    const stored = async () =>
      JSON.parse(await readFile(join(cli.home, '.config/recollect/credentials.json'), 'utf8')).deployments[server.url]
    const first = await stored()
    const again = cli.terminal(['login', '--no-browser'])
    await again.shows('paste the address of that page here')
    const second = /^ {2}(http\S+)/m.exec(stripVTControlCharacters(again.output()))?.[1] ?? ''
    expect(new URL(second).searchParams.get('client_id')).toBe(first.client_id)
    again.type(`${(await agent.approve(second)).href}\r`)
    expect(await again.ended).toBe(0)
    expect((await stored()).client_id).toBe(first.client_id)
    expect(await agent.statusWith(first.oauth.access_token)).toBe(401)
    // An application that the service has forgotten is registered again. Those without an owner are in the first shard.
    await cli.run(['logout'])
    const database = await server.miniflare.getD1Database('DB')
    await database.prepare('update oauth_clients set deleted_at = 1 where id = ?').bind(first.client_id).run()
    const third = cli.terminal(['login', '--no-browser', '--url', server.url])
    await third.shows('paste the address of that page here')
    expect(third.output()).not.toContain(first.client_id)
    ctrlC(third)
    expect(await third.ended).toBe(130)
  },
)

test('a key from standard input: hidden on a terminal, kept in a closed file, checked first', async () => {
  const key = await agent.makeKey(MEMORY)
  const cli = await install({ RECOLLECT_URL: server.url })
  const login = cli.terminal(['login', '--key-stdin'])
  await login.shows('API key')
  login.type(`${key}\r`)
  expect(await login.ended).toBe(0)
  expect(login.output()).not.toContain(key)
  expect(login.output()).toContain(agent.email)
  expect(JSON.parse((await cli.run(['whoami'])).stdout).method).toBe('key')

  const other = await install({ RECOLLECT_URL: server.url })
  const wrong = await other.run(['login', '--key-stdin'], { stdin: `${key.slice(0, -4)}AAAA\n` })
  expect(wrong.code).toBe(3)
  expect(wrong.stderr).not.toContain(key.slice(0, 20))
  expect((await other.run(['list'])).code).toBe(3)
})

test('keys with an admin key; without one the page of the portal opens', async () => {
  const admin = await withKey(['admin:workspace', 'read:memory'])
  const made = JSON.parse(
    (await admin.run(['keys', 'create', 'ci', '--scope', 'read:memory', '--environment', 'test'])).stdout,
  )
  expect(made.key).toMatch(/^rck_test_/)
  const listed = JSON.parse((await admin.run(['keys'])).stdout).data as { id: string }[]
  expect(listed.map(({ id }) => id)).toContain(made.id)
  const rotated = JSON.parse((await admin.run(['keys', 'rotate', made.id, '--overlap', '0'])).stdout)
  expect(rotated.key).not.toBe(made.key)
  expect((await admin.run(['keys', 'revoke', rotated.id])).code).toBe(0)

  const plain = await withKey(['read:memory'])
  const refused = plain.terminal(['keys'])
  expect(await refused.ended).toBe(4)
  expect(await plain.openedPage()).toBe(`${server.url}/portal/keys`)
  expect((await plain.run(['keys'])).stderr).toContain(`${server.url}/portal/keys`)
})

test('the hooks of a coding agent: installed in a terminal, a secret stored redacted, a token of the remote nowhere', async () => {
  const [secret, token] = [githubToken(new Seeded(1)), githubToken(new Seeded(2))]
  const cli = await install()
  const folder = await newRepository(join(cli.home, 'api'), `https://ada:${token}@github.com/acme/api.git?t=${token}`)
  const settings = join(cli.home, '.claude/settings.json')
  const before = '{"model": "opus",\n "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bell"}]}]}}'
  await mkdir(join(cli.home, '.claude'))
  await writeFile(settings, before)

  const open = () => cli.terminal(['agent', 'install', 'claude-code'], { cwd: folder })
  const wrong = open()
  await wrong.shows('Address of your deployment:')
  wrong.type('http://recollect.example\r')
  expect(await wrong.ended).toBe(2)
  const refused = open()
  await refused.shows('Address of your deployment:')
  refused.type(`${server.url}\r`)
  await allowLogin(cli, agent)
  await refused.shows('Write this? [y/N]')
  expect(refused.output()).toContain('What leaves this computer')
  refused.type('n\r')
  expect(await refused.ended).toBe(130)
  expect(await readFile(settings, 'utf8')).toBe(before)
  await expect(readFile(join(cli.home, '.config/recollect/agents.json'))).rejects.toThrow('ENOENT')
  // Address and login are asked for once.
  const terminal = open()
  await terminal.shows('Write this? [y/N]')
  expect(terminal.output()).not.toContain('Address')
  terminal.type('y\r')
  expect(await terminal.ended).toBe(0)
  const written = JSON.parse(await readFile(settings, 'utf8'))
  expect(written).toMatchObject({ model: 'opus', hooks: { Stop: [{ hooks: [{ command: 'bell' }] }, {}] } })
  expect(Object.keys(written.hooks).sort()).toEqual(['SessionStart', 'Stop', 'UserPromptSubmit'])

  const said = [`We deploy with ${secret}.`, 'Understood.'] as const
  await turnOf(cli, folder, ...said)
  const namespace = 'repo:github.com/acme/api'
  const stored = await storedTurns(cli, namespace, 2)
  expect(stored.map(({ content }) => content)).toMatchObject([
    { text: expect.stringMatching(/^We deploy with \[secret: .+\]\.$/) },
    { text: 'Understood.' },
  ])
  // The session of before holds the same turn, which is known again.
  const sessions = join(cli.home, '.claude/projects/-api')
  await mkdir(sessions, { recursive: true })
  await writeFile(join(sessions, 's-1.jsonl'), transcriptOf(folder, ...said))
  expect((await cli.run(['import', '--from', 'claude-code'])).code).toBe(0)
  expect(await storedTurns(cli, namespace, 2)).toEqual(stored)

  expect(JSON.stringify(stored)).not.toContain(secret)
  const kept = await filesBelow(join(cli.home, '.config'), join(cli.home, '.local'), settings)
  for (const text of [terminal.output(), JSON.stringify(stored), server.log(), ...kept]) {
    expect(text).not.toContain(token)
    expect(text).not.toContain(secret)
  }
  expect((await cli.run(['agent', 'remove', 'claude-code'], { cwd: folder })).code).toBe(0)
  expect(await readFile(settings, 'utf8')).toBe(before)
})
