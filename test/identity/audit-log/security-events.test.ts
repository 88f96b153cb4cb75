/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import type { AuditRow } from '../../../src/audit/index.ts'
import { auditOf } from '../../support/audit.ts'
import { invitationFor, refuse } from '../../support/invitation.ts'
import { newApp, newPerson, type Person } from '../../support/oauth.ts'
import { givePassword, PASSWORD } from '../../support/password.ts'
import { until } from '../../support/until.ts'
import { addKey, addMember, call, form, newSession, system, type Answer } from '../../support/world.ts'

const NEW_PASSWORD = 'staple or something else'

interface Done {
  answer: Answer
  /** Whose log holds the row, where not the person's. */
  tenantId?: string
}

const send = async (by: Person, method: string, path: string, body?: unknown): Promise<Done> => ({
  answer: await call(method, path, { headers: by.session, body }),
})

const members = ({ workspaceId }: Person, rest = '') => `/v1/workspaces/${workspaceId}/members${rest}`

async function invite(by: Person) {
  const email = `guest-${crypto.randomUUID()}@example.com`
  const { answer } = await send(by, 'POST', members(by), { email, role: 'viewer' })
  return { answer, email, token: new URL(answer.body.invitation_url).searchParams.get('invitation') ?? '' }
}

/** Each event of the log that a person may have to answer for, and the request that makes it. */
const EVENTS: Record<string, (by: Person) => Promise<Done>> = {
  'api_keys.create': (by) => send(by, 'POST', '/v1/api-keys', { name: 'robot', scopes: ['read:memory'] }),
  'api_keys.rotate': async (by) => send(by, 'POST', `/v1/api-keys/${(await addKey(by)).id}/rotate`, {}),
  'api_keys.revoke': async (by) => send(by, 'DELETE', `/v1/api-keys/${(await addKey(by)).id}`),
  'members.change_role': async (by) =>
    send(by, 'PATCH', members(by, `/${(await addMember(by, 'editor')).userId}`), { role: 'viewer' }),
  'members.remove': async (by) => send(by, 'DELETE', members(by, `/${(await addMember(by, 'editor')).userId}`)),
  'members.make_reset_link': async (by) =>
    send(by, 'POST', members(by, `/${(await addMember(by, 'editor')).userId}/reset-link`)),
  'invitations.create': invite,
  'invitations.accept': async (by) => {
    const { email, token } = await invite(by)
    return { answer: await form('/auth/register-user', { email, password: PASSWORD, name: 'x', invitation: token }) }
  },
  'invitations.refuse': async (by) => {
    const colleague = await addMember(by, null)
    return { answer: await refuse(colleague, await invitationFor(by, colleague)) }
  },
  'tenant.hand_over': async (by) => {
    await givePassword(by)
    const { userId } = await addMember(by, 'editor')
    return send(by, 'POST', '/v1/tenant/owner', { owner_id: userId, password: PASSWORD })
  },
  'sessions.revoke': async (by) => {
    const { body } = await call('GET', '/v1/sessions', { headers: await newSession(by) })
    return send(by, 'DELETE', `/v1/sessions/${body.data.find((one: { current: boolean }) => one.current).id}`)
  },
  'sessions.revoke_others': (by) => send(by, 'DELETE', '/v1/sessions'),
  'auth.change_password': async (by) => {
    await givePassword(by)
    return send(by, 'POST', '/v1/users/me/password', { current_password: PASSWORD, new_password: NEW_PASSWORD })
  },
  'auth.register': async () => {
    const email = `new-${crypto.randomUUID()}@example.com`
    const answer = await form('/auth/register-user', { email, password: PASSWORD, name: 'Ada' })
    // A new account is in whichever shard has the most room.
    const tenants = system.shards.map((shard) =>
      system
        .database(shard)
        .first<{ tenant_id: string }>('select tenant_id from users where id = :id', { id: answer.body.user.id }),
    )
    return { answer, tenantId: (await Promise.all(tenants)).find((found) => found !== null)?.tenant_id ?? '' }
  },
  'users.update': (by) => send(by, 'PATCH', '/api/users/me', { name: 'Countess' }),
  'apps.rotate_secret': async (by) => send(by, 'POST', `/v1/apps/${(await newApp(by)).client_id}/rotate-secret`, {}),
}

const requestOf = ({ headers }: Answer): string => headers.get('x-request-id') ?? ''

const arrived = (requestId: string): Promise<AuditRow[]> =>
  until(
    async () => {
      const rows = await auditOf(requestId)
      expect(rows).not.toEqual([])
      return rows
    },
    { everyMs: 100 },
  )

/** What an answer shows once: tokens and secrets, alone or in a URL. */
const secretsIn = ({ text }: Answer): string[] => text.match(/\brc[a-z]_[\w.-]{8,}/g) ?? []

test.each(Object.entries(EVENTS))(
  'security 49: %s leaves one row, in its tenant’s log alone, without a secret',
  async (action, request) => {
    const person = await newPerson()
    const { answer, tenantId = person.tenantId } = await request(person)
    expect(answer.status).toBeLessThan(300)
    await arrived(requestOf(answer))
    // Rows travel in order: what a second row of the request would be has arrived with this one.
    await arrived(requestOf(await call('GET', '/v1/projects', { headers: person.session })))
    const rows = await auditOf(requestOf(answer))
    expect(rows).toMatchObject([
      { action, outcome: 'success', tenant_id: tenantId, actor: expect.stringMatching(/^usr_/) },
    ])
    const log = JSON.stringify(rows)
    const secrets = [...secretsIn(answer), person.session['X-Session-Token'], PASSWORD, NEW_PASSWORD]
    for (const secret of secrets) expect(log).not.toContain(secret)
  },
)
