/** @module-tag shards */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { TokenMint } from '../../../../src/auth/index.ts'
import { findRefresh, refresh } from '../../../../src/auth/oauth/token/refresh.ts'
import type { RingKey } from '../../../../src/core/values/key-ring.ts'
import { ringOf } from '../../../support/key-ring.ts'
import { clientOf, newApp, newPerson, newTokens, settle, requestContext } from '../../../support/oauth.ts'
import { system } from '../../../support/world.ts'

/** A refresh token of a new grant, and the client that may use it. */
async function arrange() {
  const person = await newPerson()
  const app = await newApp(person)
  const { refresh_token } = await newTokens(person, app)
  return { refresh_token, client: await clientOf(app) }
}

const key = (n: number): RingKey => ({ id: `n${n}`, bytes: new Uint8Array(32).fill(n) })

test('the successor is the same after the data key was rotated within the window', async () => {
  const { refresh_token, client } = await arrange()
  const use = async (changes: Parameters<typeof requestContext>[0]) =>
    refresh(requestContext(changes), client, await findRefresh(requestContext(), refresh_token), {})
  const first = await use({})
  const rotated = await use({ dataKeys: [key(1), ...system.dataKeys] })
  expect(rotated.refresh_token).toBe(first.refresh_token)
  const { errors } = await settle([use({ dataKeys: [key(1)] })])
  expect(errors).toEqual(new Set(['invalid_grant']))
})

test('the successor is the same, and works, after the token secret was rotated within the window', async () => {
  const { refresh_token, client } = await arrange()
  const ring = ringOf(env.TOKEN_KEYS)
  /** Uses a refresh token with these secrets newer than those of the tests. */
  const use = async (text: string, ...newer: RingKey[]) => {
    const [first, ...others] = [...newer, ...ring]
    const ctx = requestContext({ tokens: new TokenMint(first ? [first, ...others] : ring) })
    return (await refresh(ctx, client, await findRefresh(ctx, text), {})).refresh_token
  }
  const first = await use(refresh_token)
  expect(await use(refresh_token, key(1))).toBe(first)
  const second = await use(first, key(1))
  expect(second).not.toBe(first)
  expect(await use(first, key(2), key(1))).toBe(second)
})
