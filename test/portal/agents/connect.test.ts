import { expect, test } from 'vitest'
import { SCOPE_TEXTS } from '../../../src/auth/index.ts'
import { DEFAULT_SCOPES } from '../../../src/portal/keys/new.tsx'
import {
  CHALLENGE,
  newApp,
  newCode,
  newPerson,
  newTokens,
  ORIGIN,
  redeem,
  statusWith,
  VERIFIER,
} from '../../support/oauth.ts'
import { MINUTE, travel } from '../../support/clock.ts'
import { RECORDINGS } from './recordings.ts'
import { Browser, locationOf } from '../../support/portal.ts'
import { until } from '../../support/until.ts'
import { addKey, addMember, call, db, newSession, system } from '../../support/world.ts'

const PAGE = '/portal/agents'
/** Each look is a request, which takes a permit of the second. */
const PATIENTLY = { everyMs: 250 }

test('the page shows the address, a tab for each agent with one open, and on a laptop that hosted agents cannot reach it', async () => {
  const browser = new Browser(await newPerson())
  const { text } = await browser.open(PAGE)
  expect(text).toContain(`${ORIGIN}/mcp`)
  const tabs = [...text.matchAll(/<a href="(\/portal\/agents\?agent=[\w-]+)#agent"( aria-current="true")?>/g)]
  expect(tabs).toHaveLength(RECORDINGS.length)
  expect(tabs.filter(([, , current]) => current).map(([, href]) => href)).toEqual([`${PAGE}?agent=claude-code`])
  for (const [at, [, href = '']] of tabs.entries()) {
    const tab = (await browser.open(href)).text
    expect(tab.match(/<section class="agent" aria-label="[^"]+"/g)).toEqual([
      `<section class="agent" aria-label="${RECORDINGS[at]?.agent}"`,
    ])
  }
  expect((await browser.open(`${PAGE}?agent=none`)).status).toBe(404)
  expect(text).toContain('only a public https address')
  expect(text).toContain('No agent yet')
})

test.each([
  ['claude-code', 'Claude Code', (key: string) => `--header &quot;Authorization: Bearer ${key}&quot;`],
  ['codex', 'Codex', (key: string) => `export RECOLLECT_KEY=${key}`],
  ['vs-code', 'VS Code', (key: string) => `data-copy="${key}"`],
])(
  'a key for %s is created and filled in, once; its first request is said, with the name',
  async (slug, name, shownAs) => {
    const [person, stranger] = [await newPerson(), new Browser(await newPerson())]
    const browser = new Browser(person)
    const form = (await browser.open(`${PAGE}?agent=${slug}`)).text
    const [, once = ''] = /name="once" value="([^"]+)"/.exec(form) ?? []
    const fields = { agent: slug, once }
    const made = await browser.send(PAGE, `${PAGE}/key`, fields)
    const here = locationOf(made)
    expect(here).toMatch(new RegExp(`^${PAGE}\\?agent=${slug}&since=`))
    const { text } = await browser.open(here)
    const [key = ''] = /rck_live_[\w-]+/.exec(text) ?? []
    expect(text).toContain(shownAs(key))
    expect(text).toContain(`Waiting for ${name} to connect`)
    expect((await browser.open(here)).text).not.toMatch(/rck_live_/)
    // The same form once more: one key, which is not shown again.
    await browser.send(PAGE, `${PAGE}/key`, fields)
    expect((await browser.open(here)).text).toContain('it was shown at that time')
    // The pages before may have taken the permits of this second.
    const keys = await until(async () => {
      const answer = await call('GET', '/v1/api-keys', { headers: person.session })
      expect(answer.status).toBe(200)
      return answer.body.data
    }, PATIENTLY)
    expect(keys.filter((one: any) => one.name === name)).toMatchObject([
      { environment: 'live', scopes: ['read:memory', 'write:memory'], expires_at: expect.any(String) },
    ])

    const [, wait = ''] = /data-connected="([^"]+)"/.exec(text) ?? []
    expect((await browser.open(wait)).body).toEqual({ connected: [] })
    await until(async () => expect((await call('GET', '/v1/memory/items', { key })).status).toBe(200), PATIENTLY)
    await until(async () => expect((await browser.open(wait)).body).toEqual({ connected: [name] }))
    // Without the script a reload says it.
    expect((await browser.open(here)).text).toMatch(new RegExp(`badge-ok">\\s*Connected: <bdi>${name}`))
    expect((await stranger.open(wait)).body).toEqual({ connected: [] })
  },
)

test('what the key can do is said with each verb of its scopes', async () => {
  const { text } = await new Browser(await newPerson()).open(`${PAGE}?agent=codex`)
  const [, said = ''] = /(The key can [^<]*)/.exec(text) ?? []
  const verbs = DEFAULT_SCOPES.flatMap(
    (scope) => /^(.*?) (?:your )?memories/.exec(SCOPE_TEXTS[scope].toLowerCase())?.[1]?.split(/, | and /) ?? [],
  )
  expect(verbs).toEqual(['read', 'search', 'store', 'change', 'delete'])
  for (const verb of verbs) expect(said).toMatch(new RegExp(`\\b${verb}\\b`))
  expect(said).toContain('in all your projects')
})

test('a secret of something else is not shown as the key of an agent', async () => {
  const browser = new Browser(await newPerson())
  const list = '/portal/webhooks'
  const fields = { url: 'http://127.0.0.1:9/hook', channel: 'memory' }
  const hook = locationOf(await browser.send(`${list}/new`, list, fields))
  await browser.send(hook, `${hook}/secret`)
  const { text } = await browser.open(`${PAGE}?agent=codex`)
  expect(text).not.toMatch(/whsec_|Your key is filled in/)
  expect(text).toContain('Create a key and fill it in')
})

test("who waits is not told of a colleague's workspace key, of a successor, or of another key than the one created here", async () => {
  const person = await newPerson()
  const colleague = await addMember(person, 'owner')
  const browser = new Browser(person)
  const old = await addKey(person)
  travel(MINUTE)
  const since = new Date(system.now()).toISOString()
  const body = { name: 'Build', environment: 'live', scopes: ['read:projects'] }
  const theirs = await call('POST', '/v1/api-keys', {
    headers: await newSession(colleague),
    body: { ...body, owner: 'workspace', workspace_id: person.workspaceId },
  })
  const successor = await call('POST', `/v1/api-keys/${old.id}/rotate`, { headers: person.session, body: {} })
  const uses = async (key: string) => expect((await call('GET', '/v1/projects', { key })).status).toBe(200)
  await uses(theirs.body.key)
  await uses(successor.body.key)
  const areUsed = (...ids: string[]) =>
    until(async () => {
      const text = 'select count(*) as used from api_keys where last_used_at is not null and id in (:first, :second)'
      const [first = '', second = first] = ids
      expect(await db.first(text, { first, second })).toEqual({ used: ids.length })
    })
  await areUsed(theirs.body.id, successor.body.id)
  const wait = `${PAGE}/connected?since=${since}`
  expect((await browser.open(wait)).body).toEqual({ connected: [] })

  const mine = await call('POST', '/v1/api-keys', { headers: person.session, body })
  await uses(mine.body.key)
  await areUsed(mine.body.id)
  expect((await browser.open(wait)).body).toEqual({ connected: ['Build'] })
  expect((await browser.open(`${wait}&key=${mine.body.id}`)).body).toEqual({ connected: ['Build'] })
  expect((await browser.open(`${wait}&key=${system.newId('key')}`)).body).toEqual({ connected: [] })
})

test('who waits sees an agent that signs in, and none from before; an instant that is none is refused', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const app = await newApp(await newPerson())
  const connect = async () => redeem(app, await newCode(person, app, { resource: `${ORIGIN}/mcp` }))
  expect((await connect()).status).toBe(200)
  travel(MINUTE)
  const wait = `${PAGE}/connected?since=${new Date(system.now()).toISOString()}`
  expect((await browser.open(wait)).body).toEqual({ connected: [] })
  travel(MINUTE)
  expect((await connect()).status).toBe(200)
  expect((await browser.open(wait)).body).toEqual({ connected: ['Notes'] })
  expect((await browser.open(`${PAGE}/connected?since=yesterday`)).status).toBe(422)
  expect((await new Browser().open(wait)).status).toBe(303)
})

test('the sign-in page says whom it lets in, and to a broken or other way back only that one signs in', async () => {
  const app = await newApp(await newPerson())
  const visitor = new Browser()
  const headingOn = async (back: string) => {
    const { text } = await visitor.open(`/portal/sign-in?return=${encodeURIComponent(back)}`)
    return /<h1>(.*?)<\/h1>/s.exec(text)?.[1]?.replaceAll(/<\/?bdi>/g, '')
  }
  expect(await headingOn(`/auth/authorize?client_id=${app.client_id}&state=s`)).toBe('Sign in to let Notes in')
  expect(await headingOn('/auth/authorize?client_id=https%3A%2F%2Fagent.example%2Fclient.json')).toBe(
    'Sign in to let agent.example in',
  )
  for (const back of ['/auth/authorize?client_id=app_none', '/auth/authorize', '/portal/keys', '//evil.example/'])
    expect(await headingOn(back)).toBe('Sign in')
})

test('the sign-in page quotes a name that a stranger chose, cut, with the host to which it returns', async () => {
  const register = async (client_name: string, redirect_uris: string[]) => {
    const { body } = await call('POST', '/auth/register', {
      body: { client_name, redirect_uris, token_endpoint_auth_method: 'none' },
      headers: { 'CF-Connecting-IP': '2001:db8:a9e8::1' },
    })
    return body.client_id as string
  }
  const id = await register(`Recollect. Your account is locked. Call ${'9'.repeat(60)}`, ['https://evil.example/back'])
  const back = `/auth/authorize?client_id=${id}&redirect_uri=https%3A%2F%2Fother.example%2Fback`
  const { text } = await new Browser().open(`/portal/sign-in?return=${encodeURIComponent(back)}`)
  expect(text).toMatch(/Sign in to let <bdi>“Recollect\. Your account is locked\. Call…?[^<]{0,6}…”<\/bdi> in/)
  expect(text).toMatch(/It named itself; it returns to <strong[^>]*>evil\.example</)
})

test('contract §2: a grant of an agent says so: it registered itself, or its tokens open /mcp only', async () => {
  const [person, developer] = [await newPerson(), await newPerson()]
  const { body: registered } = await call('POST', '/auth/register', {
    body: { client_name: 'Desk agent', redirect_uris: ['http://127.0.0.1/back'], token_endpoint_auth_method: 'none' },
    headers: { 'CF-Connecting-IP': '2001:db8:a9e7::1' },
  })
  const redirect_uri = 'http://127.0.0.1:4000/back'
  const pkce = { redirect_uri, code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  const agent = { client_id: registered.client_id, client_secret: '' }
  const itself = await redeem(agent, await newCode(person, agent, pkce), { redirect_uri, code_verifier: VERIFIER })
  expect(itself.status).toBe(200)
  const app = await newApp(developer)
  await redeem(app, await newCode(person, app, { resource: `${ORIGIN}/mcp` }))
  await newTokens(person, app)
  const { body } = await call('GET', '/v1/grants', { headers: person.session })
  expect(body.data.map((grant: any) => [grant.application.name, grant.agent])).toEqual([
    ['Notes', false],
    ['Notes', true],
    ['Desk agent', true],
  ])

  const browser = new Browser(person)
  const { text } = await browser.open(PAGE)
  expect(text.match(/<h3>\s*(?:<bdi>)?(?:Notes|Desk agent)/g)).toHaveLength(2)
  const [disconnect] = text.match(new RegExp(`${PAGE}/${body.data[2].id}/disconnect`)) ?? []
  expect((await new Browser(developer).send(PAGE, disconnect ?? '')).status).toBe(404)
  expect(await statusWith(itself.body.access_token)).toBe(403)
  expect(locationOf(await browser.send(PAGE, disconnect ?? ''))).toBe(PAGE)
  expect((await browser.open(PAGE)).text).toContain('The agent is disconnected.')
  expect(await statusWith(itself.body.access_token)).toBe(401)
})

test('no two agents have the same mark', async () => {
  const { text } = await new Browser(await newPerson()).open('/portal/agents')
  const marks = [...text.matchAll(/<span class="agent-mark"[^>]*>([^<]*)</g)].map(([, mark]) => mark)
  expect(marks.length).toBeGreaterThan(5)
  expect(new Set(marks).size).toBe(marks.length)
})
