import { env, exports } from 'cloudflare:workers'
import { newKey } from '../../src/auth/index.ts'
import { SCOPES, type KeyPermission, type Scope, type System } from '../../src/core/context.ts'
import { depsOf } from '../../src/deps.ts'
import { newAccount, type AccountIds } from '../../src/identity/index.ts'

/** The system as a job would see it, for arranging and for looking behind the answers. */
export const system: System = depsOf(env)(() => {})
export const db = system.database('00')

export interface Tenant extends AccountIds {
  email: string
  key: string
  keyId: string
}

let count = 0

/** A tenant of its own for each test: user, workspace, project, and a key with all scopes. */
export async function newTenant(
  options: { scopes?: readonly Scope[]; permissions?: KeyPermission[] } = {},
): Promise<Tenant> {
  const email = `user-${(count += 1)}-${crypto.randomUUID()}@example.com`
  const { ids, statements } = newAccount(system, db, '00', { email, name: `User ${count}`, passwordHash: null })
  await db.batch(statements)
  const { id, secret } = await addKey(ids, options)
  return { ...ids, email, key: secret, keyId: id }
}

export async function addKey(
  owner: Pick<AccountIds, 'tenantId' | 'userId' | 'routingId'>,
  options: {
    scopes?: readonly Scope[]
    permissions?: KeyPermission[]
    expiresAt?: number
    environment?: 'live' | 'test'
  } = {},
): Promise<{ id: string; secret: string }> {
  const { id, secret, statement } = await newKey(system, db, {
    tenantId: owner.tenantId,
    userId: owner.userId,
    routingId: owner.routingId,
    workspaceId: null,
    createdBy: owner.userId,
    name: 'test',
    environment: options.environment ?? 'live',
    scopes: options.scopes ?? SCOPES,
    permissions: options.permissions ?? null,
    expiresAt: options.expiresAt ?? null,
  })
  await db.batch([statement])
  return { id, secret }
}

export interface Call {
  key?: string
  headers?: Record<string, string>
  body?: unknown
  raw?: BodyInit
}

export interface Answer<T = any> {
  status: number
  headers: Headers
  body: T
  text: string
}

/** One request through the whole Worker. */
export async function call<T = any>(
  method: string,
  path: string,
  { key, headers = {}, body, raw }: Call = {},
): Promise<Answer<T>> {
  const request = new Request(`http://recollect.test${path}`, {
    method,
    headers: {
      ...(key ? { 'X-API-Key': key } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? (raw === undefined ? {} : { body: raw }) : { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  const response = await exports.default.fetch(request)
  const text = await response.text()
  const json =
    /json/.test(response.headers.get('content-type') ?? '') &&
    !/ndjson/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: json ? JSON.parse(text) : undefined,
    text,
  }
}
