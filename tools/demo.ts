import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const EMAIL = 'demo@example.com'

export interface DemoAccount {
  /** Null if the account existed already: a key is shown once. */
  key: string | null
  passwordFile: string
}

/**
 * Creates the demo account over HTTP; null if sign-ups are closed. Its password is kept in the data folder, so that
 * whoever deletes the data deletes the password too.
 */
export async function demoAccount(origin: string, state: string): Promise<DemoAccount | null> {
  const passwordFile = join(state, 'demo-password.txt')
  const password = randomBytes(12).toString('base64url')
  const signUp = await fetch(new URL('/auth/register-user', origin), {
    method: 'POST',
    body: new URLSearchParams({ email: EMAIL, password, name: 'Demo' }),
  })
  if (signUp.status === 409) return { key: null, passwordFile }
  if (signUp.status !== 201) return null
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  const { session_token } = (await signUp.json()) as { session_token: string }
  const made = await fetch(new URL('/v1/api-keys', origin), {
    method: 'POST',
    headers: { 'X-Session-Token': session_token, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'demo',
      environment: 'test',
      scopes: ['read:memory', 'write:memory', 'read:projects', 'write:projects', 'read:events', 'write:events'],
    }),
  })
  if (made.status !== 201) throw new Error(`The demo key was not created: ${made.status} ${await made.text()}`)
  const { key } = (await made.json()) as { key: string }
  return { key, passwordFile }
}

/** The text that `npm start` prints: addresses, and three calls to paste. */
export function greeting(origin: string, account: DemoAccount | null): string {
  const lines = ['', `Recollect is at ${origin}   API reference: ${origin}/api-reference   Portal: ${origin}/portal`]
  if (account?.key) {
    const call = `curl -s ${origin}`
    const auth = `-H 'X-API-Key: ${account.key}'`
    const json = `-H 'Content-Type: application/json'`
    lines.push(
      '',
      'A demo account is ready. Its API key is shown only now:',
      '',
      `  ${account.key}`,
      '',
      'Store a memory:',
      `  ${call}/api/memory/store ${auth} ${json} -d '{"content": "Ada prefers tea without sugar.", "tags": ["ada"], "wait_ms": 5000}'`,
      'Find it again:',
      `  ${call}/api/memory/search ${auth} ${json} -d '{"query": "What does Ada drink?"}'`,
      'List what is stored:',
      `  ${call}/v1/memory/items ${auth}`,
    )
  } else if (account) {
    lines.push(
      '',
      `The data of your last run is here. The demo key was shown on the first; make a new one in the portal.`,
    )
  }
  if (account && existsSync(account.passwordFile)) {
    lines.push('', `Sign in as ${EMAIL}; the password is in ${relative(process.cwd(), account.passwordFile)}`)
  }
  return [...lines, '', 'Stop with Ctrl-C.', ''].join('\n')
}
