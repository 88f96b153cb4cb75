import { expect, test } from 'vitest'
import { denialSweep } from '../../../src/auth/credentials/send-denials.ts'
import { resetPassword } from '../../../src/identity/members/reset-password.ts'
import { requestContext } from '../../support/oauth.ts'
import { racing } from '../../support/race.ts'
import { addMember, call, form, newSession, newTenant, system } from '../../support/world.ts'

const NEW = 'staple or something else'

test('a reset that loses a race for its link ends nothing: a session made after the winner stays valid', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  const link = await call('POST', `/v1/workspaces/${tenant.workspaceId}/members/${member.userId}/reset-link`, {
    headers: await newSession(tenant),
  })
  const token = new URL(link.body.reset_url).searchParams.get('token') ?? ''
  const status = async (headers: Record<string, string>) => (await call('GET', '/v1/projects', { headers })).status
  let late = {}
  const raced = racing(async () => {
    expect((await form('/auth/reset-password', { token, password: NEW })).status).toBe(200)
    late = await newSession(member)
    expect(await status(late)).toBe(200)
  })
  const loser = resetPassword(requestContext({ database: () => raced }), { token, password: 'what the loser chose' })
  await expect(loser).rejects.toMatchObject({ code: 'validation_failed' })
  await denialSweep.run(system)
  expect(await status(late)).toBe(200)
})
