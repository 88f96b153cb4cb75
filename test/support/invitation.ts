import type { Role } from '../../src/identity/table.ts'
import { call, db, newSession, type Answer, type Tenant } from './world.ts'

/** The id of a new invitation of a user to the workspace of `by`. */
export async function invitationFor(by: Tenant, user: Pick<Tenant, 'email'>, role: Role = 'editor'): Promise<string> {
  const { body } = await call('POST', `/v1/workspaces/${by.workspaceId}/members`, {
    key: by.key,
    body: { email: user.email, role },
  })
  return body.invitation_id
}

const answerWith = async (word: 'accept' | 'refuse', user: Tenant, id: string): Promise<Answer> =>
  call('POST', `/v1/invitations/${id}/${word}`, { headers: await newSession(user) })

export const accept = (user: Tenant, id: string): Promise<Answer> => answerWith('accept', user, id)
export const refuse = (user: Tenant, id: string): Promise<Answer> => answerWith('refuse', user, id)

/** The data of the notifications of a user, oldest first. */
export async function noticesOf(userId: string): Promise<Record<string, unknown>[]> {
  const rows = await db.all<{ data: string }>(
    `select data from events where type = 'system.notification' and targets = :targets order by created_at, id`,
    { targets: JSON.stringify([userId]) },
  )
  return rows.map(({ data }) => JSON.parse(data) as Record<string, unknown>)
}
