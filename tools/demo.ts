import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { OTHER_SAMPLE_TEXT, SAMPLE_QUESTION, SAMPLE_TEXT } from '../src/core/sample.ts'

const EMAIL = 'demo@example.com'

export interface DemoAccount {
  /** An earlier run made the account. */
  isOld: boolean
  /** Null where the first run was broken off before it had one. */
  key: string | null
  passwordFile: string
  /** What the sample question found, or why it was not asked. Null where an earlier run showed the answer. */
  first: FirstResult | { failure: string } | null
}

interface FirstResult {
  /** Null where the texts are not embedded yet, such as with a model that does not respond. */
  answer: string | null
  ms: number
}

/** The sample memories. Their ids are fixed, so that a start that stores them a second time makes no twins. */
const SAMPLES = [
  { custom_id: 'ada-tea', content: OTHER_SAMPLE_TEXT },
  { custom_id: 'ada-allergy', content: SAMPLE_TEXT },
]
/** Long enough for the queue of this machine, and short enough for somebody who waits. */
const EMBEDDED_MS = 5_000

/**
 * Creates the demo account over HTTP, with two memories and a first search; null if sign-ups are closed. The data folder
 * keeps its password, its key, and a file until the first result is shown, so that they are deleted with the data.
 */
export async function demoAccount(origin: string, state: string, send = fetch): Promise<DemoAccount | null> {
  const passwordFile = join(state, 'demo-password.txt')
  const keyFile = join(state, 'demo-key.txt')
  const dueFile = join(state, 'demo-result-due.txt')
  if (existsSync(passwordFile)) {
    const key = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : null
    const session = () => logIn(origin, readFileSync(passwordFile, 'utf8').trim(), send)
    return { isOld: true, key, passwordFile, first: await dueResult(dueFile, origin, session, send) }
  }
  const password = randomBytes(12).toString('base64url')
  const signUp = await send(new URL('/auth/register-user', origin), {
    method: 'POST',
    body: new URLSearchParams({ email: EMAIL, password, name: 'Demo' }),
  })
  if (signUp.status === 409) return { isOld: true, key: null, passwordFile, first: null }
  if (signUp.status !== 201) return null
  writeFileSync(dueFile, '')
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
  const first = await dueResult(dueFile, origin, () => Promise.resolve(session_token), send)
  return { isOld: false, key, passwordFile, first }
}

/** A new session of the demo account. */
export const demoSession = (origin: string, { passwordFile }: DemoAccount, send = fetch): Promise<string> =>
  logIn(origin, readFileSync(passwordFile, 'utf8').trim(), send)

async function logIn(origin: string, password: string, send: typeof fetch): Promise<string> {
  const body = new URLSearchParams({ username: EMAIL, password })
  const reply = await send(new URL('/auth/login', origin), { method: 'POST', body })
  if (!reply.ok) throw new Error(`/auth/login responded with ${reply.status}: ${await reply.text()}`)
  return ((await reply.json()) as { session_token: string }).session_token
}

/** The first result, if none was shown yet. A failure leaves it to the next start, and this one goes on. */
async function dueResult(
  dueFile: string,
  origin: string,
  session: () => Promise<string>,
  send: typeof fetch,
): Promise<DemoAccount['first']> {
  if (!existsSync(dueFile)) return null
  try {
    const first = await firstResult(origin, await session(), send)
    if (first.answer !== null) rmSync(dueFile)
    return first
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

/** Stores the sample memories and asks the sample question. The session does it, so that the limit of the key stays for pastes. */
async function firstResult(origin: string, session: string, send: typeof fetch): Promise<FirstResult> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'X-Session-Token': session, 'Content-Type': 'application/json' }
    const reply = await send(new URL(path, origin), { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path} responded with ${reply.status}: ${await reply.text()}`)
    return reply.json()
  }
  for (const [nth, sample] of SAMPLES.entries()) {
    // The last one has the answer.
    const wait = nth === SAMPLES.length - 1 ? { wait_ms: EMBEDDED_MS } : {}
    await post('/api/memory/store', { ...sample, tags: ['ada'], ...wait })
  }
  const before = performance.now()
  const found = await post('/api/memory/search', { query: SAMPLE_QUESTION })
  const ms = performance.now() - before
  const { results } = found as { results: { content: { text: string } }[] }
  return { answer: results[0]?.content.text ?? null, ms }
}

/** The text that `npm start` prints: the first result, addresses, and a line to paste as it stands. */
export function greeting(origin: string, account: DemoAccount | null): string {
  const lines = ['', ...(account?.first ? firstLines(account.first) : [])]
  lines.push(
    `Recollect is at ${origin}`,
    `  Portal         ${origin}/portal`,
    `  API reference  ${origin}/api-reference`,
  )
  if (account?.isOld) {
    lines.push(
      '',
      'Using the data from your last run. ' + (account.key ? 'Its demo key:' : 'Create an API key in the portal.'),
    )
  } else if (account?.key) {
    lines.push('', 'Paste this line into a second terminal. curl, the clients and the command line use it:')
  }
  if (account?.key) lines.push('', `  export RECOLLECT_URL=${origin} RECOLLECT_API_KEY=${account.key}`)
  if (account && existsSync(account.passwordFile)) {
    lines.push('', `Sign in as ${EMAIL}; the password is in ${relative(process.cwd(), account.passwordFile)}`)
  }
  return [...lines, '', 'Stop with Ctrl-C.', ''].join('\n')
}

function firstLines(first: FirstResult | { failure: string }): string[] {
  if ('failure' in first)
    return [`There is no first result yet, and the next start asks for it again: ${first.failure}`, '']
  const { answer, ms } = first
  return [
    'Two memories are stored, and a question about one of them is asked in other words:',
    '',
    `  Question  ${SAMPLE_QUESTION}`,
    `  Answer    ${answer ?? 'none yet: the embedding model has not responded; the next start asks again'}`,
    `  Time      ${Math.ceil(ms)} ms`,
    '',
  ]
}
