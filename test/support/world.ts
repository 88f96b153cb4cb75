import { env, exports } from 'cloudflare:workers'
import { confirmAddress, newRoutingId, newSession as makeSession, reserveAddress } from '../../src/auth/index.ts'
import { SCOPES, type KeyPermission, type Scope, type System } from '../../src/core/context.ts'
import { bindingOf, shardOf } from '../../src/core/shards.ts'
import { depsOf } from '../../src/deps.ts'
import { newKey } from '../../src/identity/api-keys/new-key.ts'
import { newAccount, type AccountIds } from '../../src/identity/index.ts'
import type { Role } from '../../src/identity/table.ts'

/** The system as a consumer or the cron gets it, to arrange a test and to look behind the answers. */
export const system: System = depsOf(env)(() => {})
/** The shard of the tenants that tests make: `00`, or another one where there are several. */
export const home = env.HOME_SHARD
export const db = system.database(home)
/** The binding behind the database of a shard. */
export const bindingIn = (shard: string): D1Database => Reflect.get(env, bindingOf('DB', shard))
/** The database of a user's shard. */
const databaseOf = ({ routingId }: Pick<AccountIds, 'routingId'>) => system.database(shardOf(routingId))

export interface Tenant extends AccountIds {
  email: string
  key: string
  keyId: string
}

let count = 0

/** A tenant of its own for each test: user, workspace, project, and a key with all scopes. */
export async function newTenant(
  options: { scopes?: readonly Scope[]; permissions?: KeyPermission[]; shard?: string } = {},
): Promise<Tenant> {
  const { shard = home } = options
  const email = `user-${(count += 1)}-${crypto.randomUUID()}@example.com`
  const { ids, statements } = newAccount(system, system.database(shard), shard, {
    email,
    name: `User ${count}`,
    passwordHash: null,
  })
  await reserveAddress(system, { email, ...ids })
  const { id, secret, statement } = await keyOf(ids, options)
  await databaseOf(ids).batch([...statements, statement])
  await confirmAddress(system, { email, ...ids })
  return { ...ids, email, key: secret, keyId: id }
}

interface KeyOptions {
  scopes?: readonly Scope[]
  permissions?: KeyPermission[]
  expiresAt?: number
  environment?: 'live' | 'test'
}

type KeyOwner = Pick<AccountIds, 'tenantId' | 'userId' | 'routingId'>

export async function addKey(owner: KeyOwner, options: KeyOptions = {}): Promise<{ id: string; secret: string }> {
  const { id, secret, statement } = await keyOf(owner, options)
  await databaseOf(owner).batch([statement])
  return { id, secret }
}

const keyOf = (owner: KeyOwner, options: KeyOptions) =>
  newKey(system, databaseOf(owner), {
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

/** Another user of the tenant, who joined through its workspace, with a key of all scopes; `role` null: in no workspace by now. */
export async function addMember(
  tenant: Pick<Tenant, 'tenantId' | 'workspaceId' | 'projectId'> & Partial<Pick<Tenant, 'routingId'>>,
  role: Role | null,
): Promise<Tenant> {
  const userId = system.newId('usr')
  const shard = shardOf(tenant.routingId ?? home)
  const routingId = newRoutingId(shard, system.random)
  const now = system.now()
  const db = system.database(shard)
  await db.batch([
    db.statement(
      `insert into users (id, tenant_id, routing_id, kind, email, name, settings, default_project_id, created_at, updated_at,
         joined_through)
       values (:user, :tenant, :routing, 'person', :email, 'Member', (select settings from users where tenant_id = :tenant limit 1), :project, :now, :now, :workspace)`,
      {
        user: userId,
        tenant: tenant.tenantId,
        routing: routingId,
        email: `${userId.toLowerCase()}@example.com`,
        project: tenant.projectId,
        now,
        workspace: tenant.workspaceId,
      },
    ),
    db.statement(
      `insert into workspace_members (workspace_id, user_id, tenant_id, role, created_at)
       select :workspace, :user, :tenant, :role, :now where :role is not null`,
      { workspace: tenant.workspaceId, user: userId, tenant: tenant.tenantId, role, now },
    ),
  ])
  const { tenantId, workspaceId, projectId } = tenant
  const { id, secret } = await addKey({ tenantId, userId, routingId })
  const email = `${userId.toLowerCase()}@example.com`
  return { tenantId, workspaceId, projectId, userId, routingId, email, key: secret, keyId: id }
}

/** The header of a new session of a user, without the cost of a password. */
export async function newSession(user: Pick<AccountIds, 'tenantId' | 'userId' | 'routingId'>) {
  const ctx = { ...system, requestId: 'req_test', client: { ip: '192.0.2.1', userAgent: 'test', origin: '' } }
  const db = databaseOf(user)
  const { token, statement } = await makeSession(ctx, db, user)
  await db.batch([statement])
  return { 'X-Session-Token': token }
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

/** Not by `text()`, of which the runtime complains where a body is `application/x-ndjson`. */
export const textOf = async (response: Response): Promise<string> =>
  new TextDecoder().decode(await response.arrayBuffer())

export const isJson = (response: Response): boolean => /\bjson\b/.test(response.headers.get('content-type') ?? '')

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
  const text = await textOf(response)
  return {
    status: response.status,
    headers: response.headers,
    body: isJson(response) ? JSON.parse(text) : undefined,
    text,
  }
}

let address = 0

/** A form as a client without credentials sends it, each from an address of its own unless it names one. */
export function form<T = any>(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  address += 1
  return call('POST', path, {
    raw: new URLSearchParams(fields),
    headers: { 'CF-Connecting-IP': `2001:db8:f0f0:${address.toString(16)}::1`, ...headers },
  })
}
