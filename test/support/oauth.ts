import { expect } from 'vitest'
import { findClient, type Client } from '../../src/auth/oauth/clients/client.ts'
import { newTrail, type AuthContext, type Principal, type Scope } from '../../src/core/context.ts'
import { OAuthError } from '../../src/core/http/oauth-error.ts'
import type { Tokens as TokenPort } from '../../src/core/ports.ts'
import { until } from './until.ts'
import { call, db, form, home, newSession, newTenant, system, type Answer, type Tenant } from './world.ts'

export const ORIGIN = 'http://recollect.test'
export const REDIRECT = 'https://client.example/callback'
export const VERIFIER = 'verifier-of-43-characters-or-more-0123456789'
export const CHALLENGE = await challengeOf(VERIFIER)

export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return Buffer.from(digest).toString('base64url')
}

export interface App {
  client_id: string
  client_secret: string
}

/** A user with a session, in a browser (cookie) and as an API client (header). */
export interface Person extends Tenant {
  session: { 'X-Session-Token': string }
  cookie: { Cookie: string }
}

export async function newPerson(options: { shard?: string } = {}): Promise<Person> {
  const tenant = await newTenant(options)
  const session = await newSession(tenant)
  return { ...tenant, session, cookie: cookieOf(session) }
}

export const cookieOf = (session: Person['session']): Person['cookie'] => ({
  Cookie: `__Host-recollect_session=${session['X-Session-Token']}`,
})

export async function newApp(
  owner: Person,
  options: {
    name?: string
    type?: 'confidential' | 'public'
    scopes?: readonly Scope[]
    redirect_uris?: string[]
    require_pkce?: boolean
    refresh_grace_seconds?: number
  } = {},
): Promise<App> {
  const { status, body } = await call('POST', '/v1/apps', {
    headers: owner.session,
    body: {
      name: 'Notes',
      redirect_uris: [REDIRECT],
      scopes: ['read:memory', 'write:memory', 'read:projects'],
      ...options,
    },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

/** The query of an authorization request: the customer's literal flow unless told otherwise; null leaves one out. */
export function authorizeQuery(app: Pick<App, 'client_id'>, changes: Record<string, string | null> = {}): string {
  const query = new URLSearchParams()
  const all = {
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: REDIRECT,
    scope: 'read:memory write:memory',
    state: 'xyz',
    ...changes,
  }
  for (const [name, value] of Object.entries(all)) if (value !== null) query.set(name, value)
  return query.toString()
}

export const ask = (person: Pick<Person, 'cookie'> | null, query: string): Promise<Answer> =>
  call('GET', `/auth/authorize?${query}`, { headers: person?.cookie ?? {} })

export const csrfIn = (html: string): string => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

/** Presses a button on the consent page; answers where the browser goes. */
export async function decide(
  person: Pick<Person, 'cookie'>,
  query: string,
  decision: 'approve' | 'deny' = 'approve',
): Promise<URL> {
  const asked = await ask(person, query)
  const answer = await call('POST', `/auth/authorize?${query}`, {
    raw: new URLSearchParams({ csrf: csrfIn(asked.text), decision }),
    headers: { ...person.cookie, Origin: ORIGIN },
  })
  if (answer.status !== 303) throw new Error(`${asked.status} ${answer.status} ${answer.text}`)
  return new URL(answer.headers.get('location') ?? '')
}

/** Approves, and answers the code. */
export async function newCode(person: Person, app: App, changes: Record<string, string | null> = {}): Promise<string> {
  return (await decide(person, authorizeQuery(app, changes))).searchParams.get('code') ?? ''
}

export const redeem = (app: App, code: string, more: Record<string, string> = {}): Promise<Answer> =>
  form('/auth/token', { ...secretOf(app), grant_type: 'authorization_code', code, redirect_uri: REDIRECT, ...more })

export const refreshWith = (app: App, token: string, more: Record<string, string> = {}): Promise<Answer> =>
  form('/auth/token', { ...secretOf(app), grant_type: 'refresh_token', refresh_token: token, ...more })

export const secretOf = ({ client_id, client_secret }: App): Record<string, string> =>
  client_secret ? { client_id, client_secret } : { client_id }

/** HTTP Basic, for ids and secrets without characters of their own encoding. */
export const basic = (id: string, secret: string) => ({ Authorization: `Basic ${btoa(`${id}:${secret}`)}` })

export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

export async function newTokens(person: Person, app: App): Promise<Tokens> {
  const { status, body } = await redeem(app, await newCode(person, app))
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

/** The status of a call with an access token. */
export const statusWith = async (accessToken: string): Promise<number> =>
  (await call('GET', '/v1/projects', { headers: { Authorization: `Bearer ${accessToken}` } })).status

/** The context of one request to a verb of the token endpoint; `now` holds its clock still. */
export const requestContext = (
  changes: Partial<Omit<AuthContext, 'embedder' | 'reranker'>> = {},
  principal: Principal | null = null,
): AuthContext =>
  ({
    ...system,
    requestId: system.newId('req'),
    client: { ip: '192.0.2.1', userAgent: 'test', origin: ORIGIN },
    principal,
    db,
    idempotency: null,
    trail: newTrail(),
    ...changes,
  }) as AuthContext

/** The tokens of the service, but for how they are made. */
export const mintingWith = (mint: TokenPort['mint']): TokenPort => ({
  mint,
  parse: (text) => system.tokens.parse(text),
  mintWithEachKey: (...of) => system.tokens.mintWithEachKey(...of),
})

/** Which of these actions (`action outcome` where not a success) a tenant's audit, on its way or arrived, does not hold. */
export async function notAudited(tenantId: string, actions: string[]): Promise<string[]> {
  const rows = [
    ...(await db.all<{ row: string }>('select row from audit_outbox where tenant_id = :tenant', { tenant: tenantId })),
    ...(await system
      .auditDatabase(home)
      .all<{ row: string }>(
        'select r.value as row from audit_pages p, json_each(p.rows) r where p.tenant_id = :tenant',
        { tenant: tenantId },
      )),
  ].map(({ row }) => JSON.parse(row) as { action: string; outcome: string })
  const found = new Set(rows.map(({ action, outcome }) => (outcome === 'success' ? action : `${action} ${outcome}`)))
  return actions.filter((action) => !found.has(action))
}

/** Waits until the audit of a tenant holds these actions. */
export const expectAudited = (tenantId: string, actions: string[]): Promise<void> =>
  until(async () => expect(await notAudited(tenantId, actions)).toEqual([]))

/** The application as the token endpoint sees it, at an instant. */
export async function clientOf(app: Pick<App, 'client_id'>, now = system.now()): Promise<Client> {
  const client = await findClient({ ...system, now: () => now }, app.client_id)
  if (!client) throw new Error('no such application')
  return client
}

/** How many of some outcomes succeeded, and the error of each other one. */
export async function settle(work: Promise<unknown>[]): Promise<{ succeeded: number; errors: Set<string> }> {
  const outcomes = await Promise.allSettled(work)
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  return {
    succeeded: outcomes.length - failed.length,
    errors: new Set(failed.map(({ reason }) => (reason instanceof OAuthError ? reason.error : String(reason)))),
  }
}
