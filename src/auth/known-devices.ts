import type { RequestContext } from '../core/context.ts'
import type { MintedToken } from '../core/ports.ts'
import { sha256 } from '../core/values/hash.ts'
import { addressSubject, type Permit } from '../limits/index.ts'
import { shardOf } from '../core/shards.ts'
import { routingIdOf, type Account } from './directory/accounts.ts'
import { attemptsOf } from './passwords/acquire-attempt.ts'
import { networkHashes } from './sessions/network-hash.ts'
import { DAY_MS } from '../core/values/durations.ts'

/** A device and a network stay known for this long after their session: the row of the ended session holds their hashes. */
export const DEVICE_KNOWN_MS = 90 * DAY_MS

/** Where a login comes from, and the account that it is for. */
export interface LoginSource {
  /** Null for an unknown address. */
  account: Account | null
  /** The presented device token, where this device has logged in to the account. */
  device: MintedToken | null
  /** Whether the client's network has logged in to the account. */
  networkKnown: boolean
}

type Row = Account & { device_known: 0 | 1; network_known: 0 | 1 }

/** A session that has ended counts until `sessions/sweep.ts` erases it. A new password erases both hashes. */
const ACCOUNT = `
  select u.id, u.tenant_id, u.routing_id, u.password_hash,
    exists (select 1 from sessions s where s.user_id = u.id and s.device_hash = :device) as device_known,
    exists (select 1 from sessions s where s.user_id = u.id
      and s.network_hash in (select value from json_each(:networks))) as network_known
  from users u where u.routing_id = :routing_id and u.deleted_at is null`

/** Finds the account of a normalised address, and whether it knows the device or the network. Two reads for any address. */
export async function loginSource(ctx: RequestContext, email: string, deviceToken: string): Promise<LoginSource> {
  const parsed = await ctx.tokens.parse(deviceToken)
  const routingId = await routingIdOf(ctx, email)
  const hash = parsed?.prefix === 'rcd' && parsed.routingId === routingId ? parsed.hash : ''
  const networks = JSON.stringify(await networkHashes(ctx, routingId))
  const row = await ctx.database(shardOf(routingId)).first<Row>(ACCOUNT, {
    device: hash,
    networks,
    routing_id: routingId,
  })
  if (!row) return { account: null, device: null, networkKnown: false }
  const { device_known, network_known, ...account } = row
  return {
    account,
    device: device_known ? { token: deviceToken, hash } : null,
    networkKnown: network_known === 1,
  }
}

/**
 * The permits of an attempt. A known device and each network have their own limit for each account. All unknown sources
 * of an account also share one limit. So strangers can delay only an unknown device (security 43).
 */
export async function permitsOf(
  ctx: RequestContext,
  email: string,
  { device, networkKnown }: LoginSource,
): Promise<Permit[]> {
  const source = device ? `device ${device.hash}` : `network ${addressSubject(ctx.client.ip)}`
  const own = attemptsOf(await sha256(`${email} ${source}`))
  return device || networkKnown ? own : [...own, { name: 'login.unknown', subject: await sha256(email) }]
}
