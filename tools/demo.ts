import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { OTHER_SAMPLE_TEXT, SAMPLE_QUESTION, SAMPLE_TEXT } from '../src/core/sample.ts'

const EMAIL = 'demo@example.com'

export interface DemoAccount {
  /** An earlier run made the account. */
  isOld: boolean
  /** Null where the first run was broken off before it had one. */
  key: string | null
  passwordFile: string
}

/**
 * Creates the demo account over HTTP; null if sign-ups are closed. Its password and its key are kept in the data folder, so
 * that whoever deletes the data deletes them too.
 */
export async function demoAccount(origin: string, state: string, send = fetch): Promise<DemoAccount | null> {
  const passwordFile = join(state, 'demo-password.txt')
  const keyFile = join(state, 'demo-key.txt')
  if (existsSync(passwordFile)) {
    return { isOld: true, key: existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : null, passwordFile }
  }
  const password = randomBytes(12).toString('base64url')
  const signUp = await send(new URL('/auth/register-user', origin), {
    method: 'POST',
    body: new URLSearchParams({ email: EMAIL, password, name: 'Demo' }),
  })
  if (signUp.status === 409) return { isOld: true, key: null, passwordFile }
  if (signUp.status !== 201) return null
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  const { session_token } = (await signUp.json()) as { session_token: string }
  const made = await send(new URL('/v1/api-keys', origin), {
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
  writeFileSync(keyFile, `${key}\n`, { mode: 0o600 })
  return { isOld: false, key, passwordFile }
}

/** The text that `npm start` prints: addresses, and lines to paste as they stand. */
export function greeting(origin: string, account: DemoAccount | null): string {
  const lines = ['', `Recollect is at ${origin}   API reference: ${origin}/api-reference   Portal: ${origin}/portal`]
  if (account?.isOld) {
    lines.push(
      '',
      'Using the data from your last run. ' + (account.key ? 'Its demo key:' : 'Create an API key in the portal.'),
    )
    if (account.key) lines.push('', `  export BASE=${origin} KEY=${account.key}`)
  } else if (account?.key) {
    lines.push(
      '',
      'A demo account is ready. Paste this line, which contains its API key, here or before the calls in the README:',
      '',
      `  export BASE=${origin} KEY=${account.key}`,
      '',
      'Then paste these, which store two memories and ask a question that has no words in common with its answer:',
      '',
      // A key has five requests a second, also where all is pasted at once and the README's block follows.
      `  json() { sleep 0.25; curl -s "$BASE$1" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' "\${@:2}"; echo; }`,
      `  brief() { grep -oE '"(id|text|detail)":"([^"\\\\]|\\\\.)*"|"(score|status)":[0-9.]+'; }`,
      `  json /api/memory/store -d '{"content": "${OTHER_SAMPLE_TEXT}", "tags": ["ada"]}' | brief`,
      `  json /api/memory/store -d '{"content": "${SAMPLE_TEXT}", "tags": ["ada"], "wait_ms": 5000}' | brief`,
      `  json /api/memory/search -d '{"query": "${SAMPLE_QUESTION}"}' | brief`,
      `  json /v1/memory/items`,
    )
  }
  if (account && existsSync(account.passwordFile)) {
    lines.push('', `Sign in as ${EMAIL}; the password is in ${relative(process.cwd(), account.passwordFile)}`)
  }
  return [...lines, '', 'Stop with Ctrl-C.', ''].join('\n')
}
