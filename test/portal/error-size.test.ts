/** @module-tag long */
import { expect, test } from 'vitest'
import { portalRoutes } from '../../src/portal/index.ts'
import { travel } from '../support/clock.ts'
import { csrfIn, newPerson } from '../support/oauth.ts'
import { Browser, locationOf } from '../support/portal.ts'

const MAX_ERROR_BYTES = 32 * 1024
const MAX_FORM_BYTES = { none: 64 * 1024, session: 1024 * 1024 }

const bytesIn = (text: string): number => new TextEncoder().encode(text).byteLength
const namesIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/<(?:input|textarea|select)[^>]* name="([^"]+)"/g)].map(([, name = '']) => name)),
]

/** A signed-in browser, and an example of each id that a portal path may name. */
async function furnished(): Promise<{ browser: Browser; fill: (path: string) => string }> {
  const person = await newPerson()
  const browser = new Browser(person)
  const make = async (page: string, action: string, fields: Record<string, string>): Promise<string> => {
    const made = await browser.send(page, action, fields)
    return locationOf(made).split('?')[0]?.split('/').at(-1) ?? ''
  }
  const ids: Record<string, string> = {
    keys: await make('/portal/keys/new', '/portal/keys', {
      name: 'K',
      environment: 'live',
      scope: 'read:memory',
      reach: 'all',
      expiry: '90',
      owner: '',
    }),
    webhooks: await make('/portal/webhooks/new', '/portal/webhooks', {
      url: 'http://127.0.0.1:9/h',
      channel: 'memory',
    }),
    apps: await make('/portal/apps/new', '/portal/apps', {
      name: 'A',
      redirect_uris: 'https://a.example/cb',
      scope: 'read:memory',
      type: 'confidential',
      refresh_grace_seconds: '30',
    }),
    projects: person.projectId,
    workspaces: person.workspaceId,
  }
  travel(2_000)
  return {
    browser,
    fill: (path) => path.replace(/(\w+)\/:\w+/g, (_, kind: string) => `${kind}/${ids[kind] ?? 'x'}`),
  }
}

const actions = portalRoutes.filter(({ method }) => method === 'post')
const pages = portalRoutes.filter(({ method }) => method === 'get').map(({ path }) => path)

test('contract §1, security 66: no form of the portal, full of quotation marks, has an error of more than 32 KiB', async () => {
  const { browser, fill } = await furnished()
  const visitor = new Browser()
  const names = new Set<string>(['wrong'])
  let csrf = ''
  for (const path of pages) {
    const { text } = await browser.open(fill(path))
    for (const name of namesIn(text)) names.add(name)
    csrf ||= csrfIn(text)
    travel(1_000)
  }
  for (const name of namesIn((await visitor.open('/portal/sign-up')).text)) names.add(name)
  names.delete('csrf')
  expect([...names]).toEqual(expect.arrayContaining(['redirect_uris', 'own_types', 'metadata', 'description', 'email']))
  const refused: string[] = []
  for (const { path, auth } of actions) {
    const who = auth === 'none' ? visitor : browser
    const token = auth === 'none' ? csrfIn((await visitor.open('/portal/sign-in')).text) : csrf
    const filled = [...names].filter((name) => name !== 'project_id' && name !== 'once')
    const each = '"'.repeat(Math.floor(MAX_FORM_BYTES[auth] / (3 * (filled.length + 1))) - 40)
    const fields = Object.fromEntries(filled.map((name) => [name, each]))
    const answer = await who.send('', fill(path), { ...fields, return: `/${each}`, csrf: token })
    travel(1_000)
    expect(answer.status, path).not.toBe(413)
    if (answer.status < 400) continue
    refused.push(path)
    expect(bytesIn(answer.text), path).toBeLessThanOrEqual(MAX_ERROR_BYTES)
  }
  expect(refused).toEqual(
    expect.arrayContaining(['/portal/sign-in', '/portal/sign-up', '/portal/keys', '/portal/apps', '/portal/webhooks']),
  )
})
