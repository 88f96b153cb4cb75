import { expect, test } from 'vitest'
import { isChallenge, requiresPkce, verifierMatches } from '../../../src/auth/oauth/pkce.ts'
import { challengeOf } from '../../support/oauth.ts'

test('RFC 7636 Appendix B', async () => {
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  expect(isChallenge(challenge)).toBe(true)
  expect(await verifierMatches(challenge, 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(true)
})

test.each([42, 43, 128, 129])('security 4: a verifier of %i characters', async (length) => {
  const verifier = 'v'.repeat(length)
  expect(await verifierMatches(await challengeOf(verifier), verifier)).toBe(length >= 43 && length <= 128)
})

test('security 4: no verifier for a challenge, and no challenge for a verifier', async () => {
  const verifier = 'v'.repeat(43)
  expect(await verifierMatches(await challengeOf(verifier), undefined)).toBe(false)
  expect(await verifierMatches(null, verifier)).toBe(false)
  expect(await verifierMatches(null, undefined)).toBe(true)
  expect(await verifierMatches(verifier, verifier)).toBe(false)
})

test('a public application must use PKCE, a confidential one where its switch says so', () => {
  expect(requiresPkce({ type: 'public', requirePkce: false })).toBe(true)
  expect(requiresPkce({ type: 'confidential', requirePkce: true })).toBe(true)
  expect(requiresPkce({ type: 'confidential', requirePkce: false })).toBe(false)
})
