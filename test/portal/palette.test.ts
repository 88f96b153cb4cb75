/** @module-tag long */
import { expect, test } from 'vitest'
import { newApp, newPerson } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { call } from '../support/world.ts'

interface Thing {
  label: string
  kind: string
  href: string
}

test('the palette finds the own things of each kind, with their pages, and no other’s', async () => {
  const [person, stranger] = [await newPerson(), await newPerson()]
  const headers = person.session
  const app = await newApp(person)
  const foreign = await newApp(stranger)
  const webhook = await call('POST', '/api/events/subscriptions', {
    headers,
    body: { channels: ['memory'], delivery: { method: 'webhook', url: 'https://example.com/hook' } },
  })
  const browser = new Browser(person)
  const answer = await browser.open('/portal/things')
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'application/json',
    'no-store',
  ])
  const things: Thing[] = answer.body.things
  const at = new Map(things.map(({ href, kind }) => [href, kind]))
  expect(Object.fromEntries(at)).toMatchObject({
    [`/portal/projects/${person.projectId}`]: 'Project',
    [`/portal/memory?project_id=${person.projectId}`]: 'Memories',
    [`/portal/workspaces/${person.workspaceId}`]: 'Workspace',
    [`/portal/keys/${person.keyId}`]: 'API key',
    [`/portal/apps/${app.client_id}`]: 'OAuth app',
    [`/portal/webhooks/${webhook.body.subscription_id}`]: 'Webhook',
  })
  for (const id of [stranger.projectId, stranger.keyId, foreign.client_id]) expect(answer.text).not.toContain(id)
  for (const href of at.keys()) expect((await browser.open(href)).status, href).toBe(200)
})

test('every page that the palette names is there', async () => {
  const browser = new Browser(await newPerson())
  const { text } = await browser.open('/portal')
  const [, options = ''] = /<ul class="palette-list"(.*?)<\/ul>/s.exec(text) ?? []
  const paths = [...options.matchAll(/data-href="([^"]+)"/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(15)
  for (const path of paths) expect((await browser.open(path)).status, path).toBe(200)
})
