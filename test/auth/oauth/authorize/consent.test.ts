import { expect, test } from 'vitest'
import {
  authorizeQuery,
  decide,
  expectAudited,
  newApp,
  newPerson,
  ORIGIN,
  redeem,
  REDIRECT,
} from '../../../support/oauth.ts'

test('an approval leads back with a code, the state and the issuer', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const to = await decide(person, authorizeQuery(app, { state: 'a b&c' }))
  expect(to.origin + to.pathname).toBe(REDIRECT)
  expect([...to.searchParams.keys()]).toEqual(['code', 'state', 'iss'])
  expect([to.searchParams.get('state'), to.searchParams.get('iss')]).toEqual(['a b&c', ORIGIN])
  expect((await redeem(app, to.searchParams.get('code') ?? '')).status).toBe(200)
  await expectAudited(person.tenantId, ['oauth.consent'])
})

test('a refusal leads back with access_denied and is in the audit log', async () => {
  const person = await newPerson()
  const to = await decide(person, authorizeQuery(await newApp(person)), 'deny')
  expect(Object.fromEntries(to.searchParams)).toMatchObject({ error: 'access_denied', state: 'xyz', iss: ORIGIN })
  expect(to.searchParams.has('code')).toBe(false)
  await expectAudited(person.tenantId, ['oauth.consent access_denied'])
})
