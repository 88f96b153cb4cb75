/**
 * `npm run bench:closing [-- --rounds 100]`
 *
 * The time from the cause of a close to the closing frame at the client (contract §5), with `ws` and with the WebSocket
 * of Node, while events flow through the hub, so that it does not hibernate. A replacement begins when the newer
 * connection is asked for, a revocation when the deletion of the API key is sent. It prints figures, never a verdict.
 */
import { parseArgs } from 'node:util'
import { WebSocket as WsSocket } from 'ws'
import { startServer } from '../test/e2e/support/server.ts'
import { openAudience, publish } from './support/audience.ts'
import { until } from './support/until.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } })
const rounds = Number(values.rounds)
const server = await startServer({ vars: { LIMITS_FACTOR: '1000' }, staticAssets: false })

interface Client {
  /** Events received so far. */
  events: number
  /** When the closing frame came, in milliseconds of `performance.now()`. */
  closingAt: number | null
  close(): void
}

type Open = (clientId: string, credential: string) => Client

const addressOf = (clientId: string): string =>
  `${server.url.replace('http', 'ws')}/realtime?channels=conversation&client_id=${clientId}`

function onFrame(client: Client, frame: string): void {
  const { type, data } = JSON.parse(frame) as { type: string; data: { state?: string } }
  if (type === 'message.new') client.events += 1
  if (data.state === 'closing') client.closingAt ??= performance.now()
}

const CLIENTS: Record<string, Open> = {
  ws: (clientId, credential) => {
    const socket = new WsSocket(addressOf(clientId), ['recollect', `bearer.${credential}`])
    const client: Client = { events: 0, closingAt: null, close: () => socket.terminate() }
    socket.on('message', (data: Buffer) => onFrame(client, data.toString()))
    return client
  },
  "Node's WebSocket": (clientId, credential) => {
    const socket = new WebSocket(addressOf(clientId), ['recollect', `bearer.${credential}`])
    const client: Client = { events: 0, closingAt: null, close: () => socket.close() }
    socket.addEventListener('message', ({ data }) => onFrame(client, String(data)))
    return client
  },
}

async function call<T>(path: string, session: string, init: RequestInit): Promise<T | null> {
  const headers = { 'X-Session-Token': session, 'Content-Type': 'application/json' }
  const response = await fetch(server.url + path, { ...init, headers })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? null : ((await response.json()) as T)
}

/** Milliseconds until the closing frame, of a socket that receives events before `cause` is called. */
async function timeOf(client: Client, cause: () => unknown): Promise<number> {
  await until('an event', () => client.events > 0)
  const startedAt = performance.now()
  const caused = cause()
  await until('the closing frame', () => client.closingAt !== null)
  await caused
  client.close()
  return (client.closingAt ?? Number.NaN) - startedAt
}

const percentile = (times: readonly number[], share: number): string =>
  (times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN).toFixed(
    1,
  )

try {
  const { recipients } = await openAudience(server.url, 1, 0)
  const [user] = recipients
  if (!user) throw new Error('an audience has an owner')
  const over = new AbortController()
  let published = 0
  const flow = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await publish(server.url, user, {})
      published += 1
    }
  }
  const flowing = flow().catch((error: unknown) => console.error(error))
  const startedAt = performance.now()
  console.log(
    'milliseconds to the closing frame'.padEnd(46),
    ...['p50', 'p95', 'p99', 'most'].map((head) => head.padStart(9)),
  )
  for (const [name, open] of Object.entries(CLIENTS)) {
    const replaced: number[] = []
    const revoked: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const clientId = `round-${round}`
      const newer: Client[] = []
      replaced.push(await timeOf(open(clientId, user.session), () => void newer.push(open(clientId, user.session))))
      await until('an event', () => newer.every(({ events }) => events > 0))
      for (const client of newer) client.close()
      const body = JSON.stringify({ name: 'bench', scopes: ['read:memory', 'read:events'] })
      const key = await call<{ id: string; key: string }>('/v1/api-keys', user.session, { method: 'POST', body })
      if (!key) throw new Error('a key is made')
      const socket = open(`key-${round}`, key.key)
      revoked.push(await timeOf(socket, () => call(`/v1/api-keys/${key.id}`, user.session, { method: 'DELETE' })))
    }
    for (const [cause, times] of Object.entries({ replaced, revoked })) {
      const cells = [0.5, 0.95, 0.99, 1].map((share) => percentile(times, share).padStart(9))
      console.log(`${name}, ${cause}`.padEnd(46), ...cells)
    }
  }
  over.abort()
  await flowing
  console.log(`events through the hub: ${(published / ((performance.now() - startedAt) / 1_000)).toFixed(0)}/s`)
} finally {
  await server.stop()
}
