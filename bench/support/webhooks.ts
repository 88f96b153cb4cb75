import { createServer, type Server as Receiver } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Server } from '../../test/e2e/support/server.ts'
import { publishMany, type Audience } from './audience.ts'
import { until } from './until.ts'

/** Deliveries that the end of a pause sends to the queue. The sweep sends the others. */
const RESUMED_AT_ONCE = 100

/**
 * Webhook deliveries a second to a receiver on this machine that answers at once, from the first to the last request of
 * a backlog. The backlog is published while the subscription is paused, so publishing does not count.
 */
export async function deliveryRate(server: Server, audience: Audience, count: number): Promise<number> {
  const arrivedAt = new Map<string, number>()
  const receiver = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    if (!arrivedAt.has(id)) arrivedAt.set(id, performance.now())
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  try {
    const subscription = await pausedSubscription(server.url, audience, receiver)
    const [owner] = audience.recipients
    await publishMany(server.url, audience, RESUMED_AT_ONCE + count, () => ({
      targets: [owner?.userId],
      data: { conversation_id: 'hooks' },
    }))
    await backlog(server, RESUMED_AT_ONCE + count)
    const arrived = () => arrivedAt.size
    await call(server.url, audience, 'PATCH', `/v1/events/subscriptions/${subscription}`, { status: 'active' })
    await until('the first deliveries', () => arrived() >= RESUMED_AT_ONCE, arrived)
    arrivedAt.clear()
    await server.sweep()
    await until('all deliveries', () => arrived() >= count, arrived)
  } finally {
    receiver.close()
  }
  const times = [...arrivedAt.values()]
  return (count - 1) / ((Math.max(...times) - Math.min(...times)) / 1_000)
}

async function pausedSubscription(url: string, audience: Audience, receiver: Receiver): Promise<string> {
  const { port } = receiver.address() as AddressInfo
  const { subscription_id: id } = await call(url, audience, 'POST', '/api/events/subscriptions', {
    channels: ['conversation'],
    filters: { conversation_id: 'hooks' },
    delivery: { method: 'webhook', url: `http://127.0.0.1:${port}/` },
  })
  await call(url, audience, 'PATCH', `/v1/events/subscriptions/${id}`, { status: 'paused' })
  return id ?? ''
}

/** Waits until the fan-out has made all deliveries. */
async function backlog({ miniflare }: Server, count: number): Promise<void> {
  const db = await miniflare.getD1Database('DB')
  let waiting = 0
  const ask = async () => {
    const row = await db.prepare(`select count(*) as n from deliveries where status = 'waiting'`).first<{ n: number }>()
    waiting = row?.n ?? 0
  }
  const asking = setInterval(() => void ask(), 200)
  await until(
    'the backlog',
    () => waiting >= count,
    () => waiting,
  )
  clearInterval(asking)
}

async function call(url: string, { recipients }: Audience, method: string, path: string, body: object) {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-Session-Token': recipients[0]?.session ?? '', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { subscription_id?: string }
}
