/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { CODE_TTL_MS, findCode, redeemCode } from '../../../../src/auth/oauth/token/redeem-code.ts'
import { shiftClock } from '../../../../src/core/values/clock.ts'
import { travel } from '../../../support/clock.ts'
import {
  CHALLENGE,
  clientOf,
  mintingWith,
  newApp,
  newCode,
  newPerson,
  redeem,
  REDIRECT,
  refreshWith,
  settle,
  statusWith,
  VERIFIER,
  requestContext,
} from '../../../support/oauth.ts'
import { call, db, system } from '../../../support/world.ts'

const PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
const SAME_URI = { redirect_uri: REDIRECT }

test('security 7: a code redeemed 16 times at once gives one success, and its replays end the grant', async () => {
  for (let round = 0; round < 4; round += 1) {
    const person = await newPerson()
    const app = await newApp(person)
    const client = await clientOf(app)
    const code = await findCode(requestContext(), await newCode(person, app))
    const answers: string[] = []
    const { succeeded, errors } = await settle(
      Array.from({ length: 16 }, async () => {
        const answer = await redeemCode(requestContext(), client, code, SAME_URI)
        answers.push(answer.access_token)
      }),
    )
    expect({ succeeded, errors }).toEqual({ succeeded: 1, errors: new Set(['invalid_grant']) })
    expect(await statusWith(answers[0] ?? '')).toBe(401)
    expect(
      await db.all(`select 1 from oauth_tokens where grant_id = :grant_id`, { grant_id: code?.grantId ?? '' }),
    ).toHaveLength(2)
  }
})

test('security 7: over HTTP as well; a 429 does not spend the code', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const code = await newCode(person, app)
  travel(0)
  const wrong = await Promise.all(Array.from({ length: 10 }, () => redeem(app, 'rcc_wrong')))
  expect(wrong.map(({ status }) => status)).toEqual(wrong.map(() => 400))
  const limited = await redeem(app, code)
  expect({ status: limited.status, error: limited.body.error }).toEqual({
    status: 429,
    error: 'temporarily_unavailable',
  })
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  shiftClock(60_000)
  try {
    expect((await redeem(app, code)).status).toBe(200)
  } finally {
    shiftClock(-60_000)
  }
})

test('security 7: a replay ends the tokens of the first use, and no other grant', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const code = await newCode(person, app)
  const [first, other] = [await redeem(app, code), await redeem(app, await newCode(person, app))]
  expect(await statusWith(first.body.access_token)).toBe(403)
  const replay = await redeem(app, code)
  expect({ status: replay.status, error: replay.body.error }).toEqual({ status: 400, error: 'invalid_grant' })
  expect(await statusWith(first.body.access_token)).toBe(401)
  expect((await refreshWith(app, first.body.refresh_token)).body.error).toBe('invalid_grant')
  expect(await statusWith(other.body.access_token)).toBe(403)
  expect((await refreshWith(app, other.body.refresh_token)).status).toBe(200)
})

test('security 7: a wrong verifier burns the code, a wrong client secret does not', async () => {
  const person = await newPerson()
  const [app, other] = [await newApp(person), await newApp(person)]
  const code = await newCode(person, app, PKCE)
  const stranger = await redeem({ ...app, client_secret: other.client_secret }, code, { code_verifier: VERIFIER })
  expect({ status: stranger.status, error: stranger.body.error }).toEqual({ status: 401, error: 'invalid_client' })
  expect((await redeem(app, code, { code_verifier: VERIFIER })).status).toBe(200)

  const burnt = await newCode(person, app, PKCE)
  expect((await redeem(app, burnt, { code_verifier: VERIFIER.toUpperCase() })).body.error).toBe('invalid_grant')
  expect((await redeem(app, burnt, { code_verifier: VERIFIER })).body.error).toBe('invalid_grant')
})

test("security 3: the code of user A with the verifier of B, and client A's code at B", async () => {
  const person = await newPerson()
  const [app, other] = [await newApp(person), await newApp(await newPerson())]
  const code = await newCode(person, app, PKCE)
  expect((await redeem(other, code, { code_verifier: VERIFIER })).body.error).toBe('invalid_grant')
  expect((await redeem(app, code, { code_verifier: 'of-somebody-else-0123456789-0123456789-012345' })).body.error).toBe(
    'invalid_grant',
  )
})

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['a challenge, and then no verifier', PKCE, {}],
  ['a verifier without a challenge', {}, { code_verifier: VERIFIER }],
  ['a verifier of 42 characters', PKCE, { code_verifier: VERIFIER.slice(0, 42) }],
  ['a verifier of 129 characters', PKCE, { code_verifier: VERIFIER.padEnd(129, 'x') }],
  ['the challenge for a verifier', PKCE, { code_verifier: CHALLENGE }],
])('security 4: %s is refused', async (_, asked, sent) => {
  const person = await newPerson()
  const app = await newApp(person)
  const { status, body } = await redeem(app, await newCode(person, app, asked), sent)
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' })
})

test('redirect_uri must be the one of the request, and may be absent with PKCE only', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const plain = await newCode(person, app)
  expect((await redeem(app, plain, { redirect_uri: `${REDIRECT}/` })).body.error).toBe('invalid_grant')
  expect((await redeem(app, plain, { redirect_uri: '' })).body.error).toBe('invalid_grant')
  expect((await redeem(app, plain)).status).toBe(200)
  const proven = await newCode(person, app, PKCE)
  expect((await redeem(app, proven, { redirect_uri: '', code_verifier: VERIFIER })).status).toBe(200)
})

test.each([
  [-1, 1],
  [0, 0],
  [1, 0],
])('a code %i ms from its 300 s: %i success', async (offset, expected) => {
  const person = await newPerson()
  const app = await newApp(person)
  const code = await findCode(requestContext(), await newCode(person, app))
  const [row] = await db.all<{ lives: number }>(
    'select expires_at - created_at as lives from oauth_codes where code_hash = :code_hash',
    { code_hash: code?.codeHash ?? '' },
  )
  expect(row?.lives).toBe(CODE_TTL_MS)
  const at = (code?.expiresAt ?? 0) + offset
  const { succeeded } = await settle([
    redeemCode(requestContext({ now: () => at }), await clientOf(app), code, SAME_URI),
  ])
  expect(succeeded).toBe(expected)
})

test('a scope that the application lost since the consent is not in the token; without any, it is invalid_scope', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const code = await newCode(person, app, { scope: 'read:memory read:projects' })
  const patch = (scopes: string[]) =>
    call('PATCH', `/v1/apps/${app.client_id}`, { headers: person.session, body: { scopes } })
  await patch(['read:audit'])
  expect((await redeem(app, code)).body.error).toBe('invalid_scope')
  await patch(['read:projects'])
  const { body } = await redeem(app, code)
  expect([body.scope, await statusWith(body.access_token)]).toEqual(['read:projects', 200])
  await patch(['read:memory', 'read:projects'])
  expect((await refreshWith(app, body.refresh_token)).body.scope).toBe('read:memory read:projects')
})

test('a crash loses nothing: one commit spends the code and stores the tokens, and the code still works', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const { body } = await redeem(app, await newCode(person, app))
  const text = await newCode(person, app)
  // The batch spends the code and then fails to insert a token whose hash exists already.
  const taken = await system.tokens.parse(body.access_token)
  const broken = requestContext({
    tokens: mintingWith(async () => ({ token: body.access_token, hash: taken?.hash ?? '' })),
  })
  const code = await findCode(broken, text)
  await expect(redeemCode(broken, await clientOf(app), code, SAME_URI)).rejects.toThrow(/UNIQUE/)
  expect((await redeem(app, text)).status).toBe(200)
})

test('the codes and tokens of a deleted user do not work', async () => {
  const owner = await newPerson()
  const person = await newPerson()
  const app = await newApp(owner)
  const [code, { body }] = [await newCode(person, app), await redeem(app, await newCode(person, app))]
  await db.write('update users set deleted_at = :deleted_at where id = :user', {
    deleted_at: system.now(),
    user: person.userId,
  })
  expect((await redeem(app, code)).body.error).toBe('invalid_grant')
  expect((await refreshWith(app, body.refresh_token)).body.error).toBe('invalid_grant')
  expect(await statusWith(body.access_token)).toBe(401)
})

test('a redemption costs two round trips besides the client, and reads a handful of rows', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const client = await clientOf(app)
  const text = await newCode(person, app)
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const metered = requestContext({ database: () => db.metered(meter) })
  await redeemCode(metered, client, await findCode(metered, text), SAME_URI)
  expect(meter.roundTrips).toBe(2)
  expect(meter.rowsRead).toBeLessThan(40)
})
