/** @module-tag long */
import { expect, test } from 'vitest'
import { portalRoutes } from '../../src/portal/index.ts'
import { newApp, newPerson, newTokens } from '../support/oauth.ts'
import { Browser } from '../support/portal.ts'
import { addMember, call, newSession } from '../support/world.ts'

/** The forms that end nothing which cannot be had again: they create, change or show. All others ask. */
const ENDS_NOTHING = [
  '/portal/agents/key',
  '/portal/apps',
  '/portal/apps/:id',
  '/portal/apps/:id/rotate-secret',
  '/portal/events/publish',
  '/portal/invitations/:id/accept',
  '/portal/keys',
  '/portal/keys/:id/rotate',
  '/portal/memory',
  '/portal/memory/:id',
  '/portal/memory/:id/bring-back',
  '/portal/memory/:id/embed',
  '/portal/memory/:id/restore',
  '/portal/memory/:id/retire',
  '/portal/memory/import',
  '/portal/projects',
  '/portal/projects/:id',
  '/portal/projects/:id/retention',
  '/portal/projects/:id/retention/count',
  '/portal/projects/:id/guard',
  '/portal/reset-password',
  '/portal/settings',
  '/portal/settings/people',
  '/portal/sign-in',
  '/portal/sign-out',
  '/portal/sign-up',
  '/portal/webhooks',
  '/portal/webhooks/:id/deliveries/:id/retry',
  '/portal/webhooks/:id/edit',
  '/portal/webhooks/:id/pause',
  '/portal/webhooks/:id/recover',
  '/portal/webhooks/:id/resume',
  '/portal/webhooks/:id/secret',
  '/portal/webhooks/:id/secret/rotate',
  '/portal/webhooks/:id/test',
  '/portal/workspaces',
  '/portal/workspaces/:id',
  '/portal/workspaces/:id/members',
  '/portal/workspaces/:id/members/:id',
  '/portal/workspaces/:id/members/:id/reset-link',
]
/** A rotation that keeps the old secret for no time ends it. */
const ROTATIONS = ['/portal/apps/:id/rotate-secret#now', '/portal/keys/:id/rotate#now']
const isAct = (path: string): boolean => !ENDS_NOTHING.includes(path)

interface Form {
  /** The route of its action; with #now where it can keep an old secret for no time. */
  path: string
  /** It asks for a typed name or a password. */
  typed: boolean
  /** The text of the question that it stands in; empty where it stands in none. */
  question: string
}

/** The forms of a page. A question is the popover that its button opens. */
function formsIn(html: string): Form[] {
  const forms = html.matchAll(/<form method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/gs)
  return Array.from(forms, ({ 1: action = '', 2: content = '', index }) => {
    const before = html.slice(0, index)
    const since = before.slice(Math.max(before.lastIndexOf('</form>'), 0))
    const [, id = '', question = ''] =
      /<div class="dialog" id="([^"]+)" popover="auto" role="dialog"[^>]*>(.*)$/s.exec(since) ?? []
    return {
      path:
        action.replace(/\?.*/, '').replaceAll(/\/[a-z]{3}_\w{26}/g, '/:id') +
        (/name="overlap_seconds"(?:(?!<\/select>).)*? value="0"/s.test(content) ? '#now' : ''),
      typed: /name="(?:confirm_name|(?:current_)?password)"/.test(content),
      question:
        id !== '' && new RegExp(`<button class="button[ \\w-]*" type="button" popovertarget="${id}"`).test(since)
          ? question
          : '',
    }
  })
}

/** A question, and a sentence on what follows. */
const SAYS = /<h2[^>]*>.+\?<\/h2><div class="dialog-text"><p>.{20,}<\/p>/s

test('each act that cannot be taken back asks first and says what follows, without a script', async () => {
  const [person, stranger] = [await newPerson(), await newPerson()]
  const browser = new Browser(person)
  const headers = person.session
  const key = await call('POST', '/v1/api-keys', { headers, body: { name: 'Bot', scopes: ['read:memory'] } })
  const item = await call('POST', '/api/memory/store', { headers, body: { content: 'Ada drinks tea.' } })
  const retention = [{ max_ttl: 86_400 }]
  await call('PATCH', `/v1/projects/${person.projectId}`, { headers, body: { retention } })
  const app = await newApp(person)
  const webhook = await call('POST', '/api/events/subscriptions', {
    headers,
    body: { channels: ['memory'], delivery: { method: 'webhook', url: 'https://example.com/hook' } },
  })
  await newTokens(person, await newApp(stranger))
  await newSession(person)
  const member = await addMember(person, 'owner')
  const other = await call('POST', '/v1/workspaces', { key: member.key, body: { name: 'Theirs' } })
  const invite = (workspaceId: string, email: string, key: string) =>
    call('POST', `/v1/workspaces/${workspaceId}/members`, { key, body: { email, role: 'viewer' } })
  await invite(other.body.id, person.email, member.key)
  await invite(person.workspaceId, 'guest@example.com', person.key)

  const seen = new Set<string>()
  const unasked: string[] = []
  for (const page of [
    `/portal/keys/${key.body.id}`,
    `/portal/memory/${item.body.id}`,
    `/portal/apps/${app.client_id}`,
    `/portal/webhooks/${webhook.body.subscription_id}`,
    `/portal/projects/${person.projectId}`,
    `/portal/workspaces/${person.workspaceId}`,
    '/portal/erasures/new?namespace=ada',
    '/portal/workspaces',
    '/portal/connected',
    '/portal/settings',
  ]) {
    const { status, text } = await browser.open(page)
    expect({ page, status }).toEqual({ page, status: 200 })
    for (const form of formsIn(text).filter(({ path }) => isAct(path))) {
      seen.add(form.path)
      if (!form.typed && !SAYS.test(form.question)) unasked.push(form.path)
    }
  }
  expect(unasked).toEqual([])
  const forms = portalRoutes.flatMap(({ method, path }) => (method === 'post' ? path.replaceAll(/:\w+/g, ':id') : []))
  expect(ENDS_NOTHING.filter((path) => !forms.includes(path))).toEqual([])
  const acts = [...forms.filter(isAct), ...ROTATIONS]
  // The page of agents lists the same grants, of agents alone.
  expect([...seen, '/portal/agents/:id/disconnect'].toSorted()).toEqual([...new Set(acts)].toSorted())
})
