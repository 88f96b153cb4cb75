import { expect, test } from 'vitest'
import { bearerChallenge } from '../../../src/auth/oauth/bearer-challenge.ts'
import { AGENT_SCOPES, calledResource } from '../../../src/auth/oauth/resources.ts'

const BASE = 'https://recollect.test'
const PROJECT = 'prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG'

test('a challenge names the metadata of the very path that was called, and its scopes', () => {
  const at = (path: string) => calledResource(new Request(`http://inside${path}`), BASE)
  const scope = `scope="${AGENT_SCOPES.join(' ')}"`
  const metadata = (path: string) => `resource_metadata="${BASE}/.well-known/oauth-protected-resource${path}"`
  expect(bearerChallenge(at('/mcp'))).toBe(`Bearer ${metadata('/mcp')}, ${scope}`)
  expect(bearerChallenge(at('/mcp/'), 'invalid_token')).toBe(
    `Bearer ${metadata('/mcp/')}, error="invalid_token", ${scope}`,
  )
  expect(bearerChallenge(at(`/mcp/${PROJECT}`), 'insufficient_scope', ['read:memory'])).toBe(
    `Bearer ${metadata(`/mcp/${PROJECT}`)}, error="insufficient_scope", scope="read:memory"`,
  )
  expect(bearerChallenge(at('/v1/projects'), 'invalid_token')).toBe(`Bearer ${metadata('')}, error="invalid_token"`)
})
