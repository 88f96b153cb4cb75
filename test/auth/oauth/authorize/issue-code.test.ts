import { expect, test } from 'vitest'
import { readAuthorizationRequest } from '../../../../src/auth/oauth/authorize/authorization-request.ts'
import { issueCode } from '../../../../src/auth/oauth/authorize/issue-code.ts'
import { authorizeQuery, expectAudited, newApp, newPerson, redeem, requestContext } from '../../../support/oauth.ts'
import { callerOf } from '../../../support/race.ts'
import { call, db } from '../../../support/world.ts'

async function arrange() {
  const person = await newPerson()
  const app = await newApp(person)
  const ctx = requestContext({}, await callerOf(person.session))
  const next = await readAuthorizationRequest(ctx, new URLSearchParams(authorizeQuery(app)))
  if (next.step !== 'consent') throw new Error(next.step)
  const grants = () =>
    db.all<{ activated: 0 | 1 }>(
      'select activated_at is not null as activated from oauth_grants where user_id = :user',
      { user: person.userId },
    )
  return { person, app, ctx, request: next.request, grants }
}

test('a code comes with a grant, which its redemption activates', async () => {
  const { person, app, ctx, request, grants } = await arrange()
  const code = await issueCode(ctx, request)
  expect(await grants()).toEqual([{ activated: 0 }])
  expect((await redeem(app, code)).status).toBe(200)
  expect(await grants()).toEqual([{ activated: 1 }])
  await expectAudited(person.tenantId, ['oauth.consent'])
})

test('a session that has ended in the meantime makes neither grant nor code: 403', async () => {
  const { person, ctx, request, grants } = await arrange()
  expect((await call('POST', '/auth/logout', { headers: person.session })).status).toBe(204)
  await expect(issueCode(ctx, request)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await grants()).toEqual([])
})
