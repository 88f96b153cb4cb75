import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKeyRing } from '../../tools/secrets.ts'
import { operate } from '../../tools/operator.ts'
import { startServer, type Server } from './support/server.ts'

const ring = newKeyRing()

let server: Server
beforeAll(async () => {
  server = await startServer({
    staticAssets: false,
    vars: { OPERATOR_KEYS: ring, LIMITS: 'read=33,memory.search=15', SERVICE_ACCOUNT_LIMITS: 'read=300' },
  })
})
afterAll(() => server.stop())

/** The user, tenant and session of a sign-up. */
async function signUp(email: string): Promise<{ userId: string; session: Record<string, string> }> {
  const form = new URLSearchParams({ email, password: 'a password for limits', name: 'Limits' })
  const answer = await fetch(`${server.url}/auth/register-user`, { method: 'POST', body: form })
  const { user, session_token } = (await answer.json()) as { user: { id: string }; session_token: string }
  return { userId: user.id, session: { 'X-Session-Token': session_token } }
}

const policyOf = async (headers: Record<string, string>): Promise<string | null> =>
  (await fetch(`${server.url}/v1/projects`, { headers })).headers.get('ratelimit-policy')

async function command(...args: string[]): Promise<string> {
  const lines: string[] = []
  const env = { RECOLLECT_URL: server.url, OPERATOR_KEY: ring }
  await operate({ args, env, say: (line) => lines.push(line) })
  return lines.join('\n')
}

test('variables set limits of the deployment, and the command line those of a user, which hold from the first request on', async () => {
  const plain = await signUp('plain@example.com')
  expect(await policyOf(plain.session)).toBe('"read";q=33;w=1')
  const raised = await signUp('raised@example.com')
  expect(await command('limits', 'set', `--user=${raised.userId}`, 'read=44')).toMatch(
    /read +users +44 +44 in 1 s +1000/,
  )
  expect(await policyOf(raised.session)).toBe('"read";q=44;w=1')
  expect(await command('limits', 'show')).toMatch(/memory\.search +users +– +15 in 1 s/)
  expect(await command('limits', 'show')).toMatch(/read +service accounts +– +300 in 1 s/)
  expect(await command('limits', 'changes')).toMatch(new RegExp(`  k1  ${raised.userId}  read none → 44$`))
})
