/** @module-tag shards */
import { expect, test } from 'vitest'
import { NAMED_KINDS } from '../../../src/identity/names/names-sql.ts'
import { newPerson, requestContext, type Person } from '../../support/oauth.ts'
import { callerOf } from '../../support/race.ts'
import { addMember, call, db, newSession, type Tenant } from '../../support/world.ts'

/** Runs the statement of the kind that the ids are of; answers its rows, and how many it read. */
async function ask(session: Person['session'], ids: readonly string[]) {
  const ctx = requestContext({}, await callerOf(session))
  const kind = NAMED_KINDS.find(({ mayBe }) => mayBe(ids[0] ?? ''))
  if (!kind) throw new Error('no kind')
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const rows = await db.metered(meter).all(kind.sql, { ...kind.values(ctx), ids: JSON.stringify(ids) })
  return { rows, rowsRead: meter.rowsRead }
}

const URL_OF_AGENT = 'https://agent.example/client.json'
const GRANTS = 1_000

const grantTo = (user: Tenant, id: string) =>
  db.write(
    `insert into oauth_grants (id, tenant_id, user_id, client_id, client_name, scopes, created_at, activated_at)
     select :id || value, :tenant, :user, :client, 'Agent ' || value, '[]', value, value
     from json_each(:numbers)`,
    {
      id,
      tenant: user.tenantId,
      user: user.userId,
      client: URL_OF_AGENT,
      numbers: JSON.stringify(Array.from({ length: GRANTS }, (_, n) => n)),
    },
  )

test('an application that a thousand consents let in is one row, and only who may see them looks at them', async () => {
  const owner = await newPerson()
  const [admin, editor] = [await addMember(owner, 'admin'), await addMember(owner, 'editor')]
  await grantTo(editor, `grt_${editor.userId}`)
  const newest = [{ id: URL_OF_AGENT, name: `Agent ${GRANTS - 1}`, kind: 'application' }]
  const byAdmin = await ask(await newSession(admin), [URL_OF_AGENT])
  expect(byAdmin.rows).toEqual(newest)
  expect(byAdmin.rowsRead).toBeLessThan(8 * GRANTS)
  expect((await ask(await newSession(editor), [URL_OF_AGENT])).rows).toEqual(newest)
  const byViewer = await ask(await newSession(await addMember(owner, 'viewer')), [URL_OF_AGENT])
  expect(byViewer.rows).toEqual([])
  expect(byViewer.rowsRead).toBeLessThan(20)
})

test('an id of a hidden colleague costs no more than a look-up in each workspace of the caller', async () => {
  const owner = await newPerson()
  const caller = await addMember(owner, 'editor')
  const { body: elsewhere } = await call('POST', '/v1/workspaces', { key: owner.key, body: { name: 'Elsewhere' } })
  const [crowd, hidden] = [[] as string[], [] as string[]]
  for (let n = 0; n < 30; n += 1) {
    crowd.push((await addMember(owner, 'viewer')).userId)
    hidden.push((await addMember({ ...owner, workspaceId: elsewhere.id }, 'viewer')).userId)
  }
  const session = await newSession(caller)
  expect((await ask(session, crowd)).rows).toHaveLength(crowd.length)
  const unseen = await ask(session, hidden)
  const never = await ask(
    session,
    hidden.map((_, n) => `usr_${n}`),
  )
  expect([unseen.rows, never.rows]).toEqual([[], []])
  expect(unseen.rowsRead - never.rowsRead).toBeLessThanOrEqual(3 * hidden.length)
})
