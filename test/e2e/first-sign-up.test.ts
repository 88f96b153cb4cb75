import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startServer, type Server } from './support/server.ts'

const PASSWORD = 'correct horse battery'
const folder = await mkdtemp(join(tmpdir(), 'recollect-first-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const signUp = (server: Server, email: string, more: Record<string, string> = {}) =>
  fetch(`${server.url}/auth/register-user`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'Ada', email, password: PASSWORD, ...more }),
  })

const page = async (server: Server, path: string): Promise<string> => (await fetch(`${server.url}${path}`)).text()

const counted = async (server: Server, table: string): Promise<unknown> => {
  const db = await server.miniflare.getD1Database('DB')
  return (await db.prepare(`select count(*) as n from ${table}`).first())?.['n']
}

test('SIGNUPS=first: of eight first sign-ups at once one person gets in, in the region that was chosen, and sign-ups are closed for good (contract §2, security 74)', async () => {
  const vars = { SIGNUPS: 'first', SHARD_REGIONS: '00:weur', LIMITS_FACTOR: '10' }
  const server = await startServer({ vars, persistTo: folder })
  try {
    expect(await page(server, '/portal/sign-in')).toContain('No one has an account here yet.')
    expect(await page(server, '/portal/sign-up')).toContain('Sign-ups close after this one')
    expect((await signUp(server, 'elsewhere@example.com', { region: 'enam' })).status).toBe(422)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => signUp(server, `first-${at}@example.com`, { region: 'weur' })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 403),
    ])
    // The losers left nothing behind.
    for (const table of ['tenants', 'users', 'directory', 'workspaces', 'projects', 'sessions'])
      expect([table, await counted(server, table)]).toEqual([table, 1])
    const [won] = answers.filter(({ status }) => status === 201)
    if (!won) throw new Error('nobody got in')
    const { session_token: session, user } = (await won.json()) as { session_token: string; user: object }
    expect(user).toMatchObject({ region: 'weur' })

    expect(await page(server, '/portal/sign-in')).toContain('New accounts need an invitation')
    expect(await page(server, '/portal/sign-up')).toContain('New accounts are closed here.')
    expect((await signUp(server, 'late@example.com')).status).toBe(403)

    // The first person lets others in.
    const headers = { 'X-Session-Token': session, 'Content-Type': 'application/json' }
    const listed = await fetch(`${server.url}/v1/workspaces`, { headers })
    const { data } = (await listed.json()) as { data: { id: string }[] }
    const invited = await fetch(`${server.url}/v1/workspaces/${data[0]?.id}/members`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email: 'grace@example.com', role: 'viewer' }),
    })
    const { invitation_url } = (await invited.json()) as { invitation_url: string }
    const invitation = new URL(invitation_url).searchParams.get('invitation') ?? ''
    expect((await signUp(server, 'grace@example.com', { invitation })).status).toBe(201)
  } finally {
    await server.stop()
  }
})

test('a service whose accounts are all gone stays closed under SIGNUPS=first, and a service that is open stays open', async () => {
  const data = join(folder, 'open')
  const open = await startServer({ vars: { SIGNUPS: 'open', LIMITS_FACTOR: '10' }, persistTo: data })
  try {
    const answer = await signUp(open, 'only@example.com')
    const { session_token } = (await answer.json()) as { session_token: string }
    const deleted = await fetch(`${open.url}/api/users/me`, {
      method: 'DELETE',
      headers: { 'X-Session-Token': session_token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    })
    expect(deleted.status).toBe(204)
    expect(await counted(open, 'directory')).toBe(0)
  } finally {
    await open.stop()
  }
  const first = await startServer({ vars: { SIGNUPS: 'first', LIMITS_FACTOR: '10' }, persistTo: data })
  try {
    expect((await signUp(first, 'stranger@example.com')).status).toBe(403)
    expect(await page(first, '/portal/sign-up')).toContain('New accounts are closed here.')
  } finally {
    await first.stop()
  }
  const again = await startServer({ vars: { SIGNUPS: 'open', LIMITS_FACTOR: '10' }, persistTo: data })
  try {
    expect((await signUp(again, 'welcome@example.com')).status).toBe(201)
  } finally {
    await again.stop()
  }
})
