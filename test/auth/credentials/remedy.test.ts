import { expect, test } from 'vitest'
import { KIND_OF, remedyFor, remedyOf } from '../../../src/auth/credentials/remedy.ts'
import { TOKEN_PREFIXES } from '../../../src/core/values/token-prefix.ts'

test.each([
  ['rck_live_x', ['key'], /revoked or expired.*rck_live_ or rck_test_/],
  ['rck_test_x', null, /revoked or expired.*rck_live_ or rck_test_/],
  ['rca_x', ['access'], /Refresh it at POST \/auth\/token/],
  ['rcs_x', ['session'], /Log in again/],
  ['rck_live_x', ['access'], /send it in the header X-API-Key/],
  ['rca_x', ['key'], /send it as Authorization: Bearer/],
  ['rcs_x', ['key', 'access'], /send it in the header X-Session-Token/],
  ['rcr_x', ['access'], /refresh token: exchange it/],
  ['rcd_x', ['session'], /device token, which is not a credential/],
  ['rcx_x', ['key'], /client secret/],
  ['rcc_x', null, /authorization code/],
  ['rci_x', ['session'], /^The credential is unknown here, revoked or expired\.$/],
  ['rcp_x', null, /^The credential is unknown here, revoked or expired\.$/],
  ['something', ['key'], /revoked or expired.*rck_live_/],
  ['something', null, /^The credential is unknown here, revoked or expired\.$/],
  ['RCK_LIVE_x', ['key'], /revoked or expired.*rck_live_/],
  ['', ['key'], /^The credential is empty\.$/],
  [null, ['access'], /a space, the access token/],
] as const)('%s in a header for %j', (token, kinds, told) => expect(remedyFor({ kinds, token })).toMatch(told))

test('what is told is of the kind alone: no part of the credential comes back', () => {
  for (const prefix of TOKEN_PREFIXES)
    for (const kinds of [null, ['key'], ['access'], ['session']] as const)
      expect(remedyFor({ kinds, token: `${prefix}_t0p-s3cret` })).not.toContain('s3cret')
})

test('whoever knows the kind gets the same remedy as whoever sent such a token to its header', () => {
  for (const [prefix, kind] of Object.entries(KIND_OF))
    expect(remedyFor({ kinds: [kind], token: `${prefix}_x` })).toBe(remedyOf(kind))
})
