import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket as WsSocket } from 'ws'
import { Recollect } from 'recollect'
import { until } from '../support/until.ts'
import { hasBrowser, launchBrowser } from './support/browser.ts'
import { startServer, type Server } from './support/server.ts'

interface Message {
  id: string
  type: string
  data: { state?: string; code?: number; reason?: string }
}

let server: Server
/** The session token of the current test's user. */
let session: string
let users = 0
let busy: { stop(): Promise<void> }

beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '1000' }, staticAssets: false })
})
beforeEach(async () => {
  const signedUp = await fetch(`${server.url}/auth/register-user`, {
    method: 'POST',
    body: new URLSearchParams({
      email: `closed${(users += 1)}@example.com`,
      password: 'a password for closing',
      name: 'C',
    }),
  })
  session = ((await signedUp.json()) as { session_token: string }).session_token
  busy = flow()
})
afterEach(() => busy.stop())
afterAll(() => server.stop())

const addressOf = (clientId: string) =>
  `${server.url.replace('http', 'ws')}/realtime?channels=conversation&client_id=${clientId}`
const protocols = () => ['recollect', `bearer.${session}`]

const isEvent = ({ type }: Message) => type === 'message.new'
const closingOf = (received: Message[]) => received.find(({ data }) => data.state === 'closing')

/** Events flow until `stop` is called, so that the hub does not hibernate. */
function flow(): { stop(): Promise<void> } {
  const over = new AbortController()
  const publish = async () => {
    while (!over.signal.aborted) {
      await fetch(`${server.url}/api/events/publish`, {
        method: 'POST',
        headers: { 'X-Session-Token': session, 'Content-Type': 'application/json' },
        body: JSON.stringify({ type: 'message.new', data: { conversation_id: 'c' } }),
      })
    }
  }
  const flowing = publish()
  return {
    stop: () => {
      over.abort()
      return flowing
    },
  }
}

/** Collects the messages of a `ws` connection of this client id. */
function connect(clientId: string): { received: Message[]; close(): void } {
  const received: Message[] = []
  const socket = new WsSocket(addressOf(clientId), protocols())
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString()) as Message))
  return { received, close: () => socket.terminate() }
}

/** Replaces a connection that receives events. Answers its last frame. */
async function replaced(clientId: string, received: Message[]): Promise<Message | undefined> {
  await until(() => expect(received.some(isEvent)).toBe(true))
  const newer = connect(clientId)
  await until(() => expect(closingOf(received)).toBeDefined())
  await until(() => expect(newer.received.some(isEvent)).toBe(true))
  newer.close()
  return received.at(-1)
}

const REPLACED = { type: 'system.status', data: { state: 'closing', code: 4409 } }

test('ws learns on a busy hub that it was replaced', async () => {
  const older = connect('ws')
  expect(await replaced('ws', older.received)).toMatchObject(REPLACED)
  older.close()
})

test("Node's WebSocket learns on a busy hub that it was replaced", async () => {
  const received: Message[] = []
  const socket = new WebSocket(addressOf('node'), protocols())
  socket.addEventListener('message', ({ data }) => received.push(JSON.parse(String(data)) as Message))
  expect(await replaced('node', received)).toMatchObject(REPLACED)
  socket.close()
})

test.runIf(hasBrowser)("a browser's WebSocket learns on a busy hub that it was replaced", async () => {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`${server.url}/health`)
    const received: Message[] = []
    await page.exposeFunction('onFrame', (text: string) => received.push(JSON.parse(text) as Message))
    await page.evaluate(
      ([url = '', ...spoken]) => {
        const socket = new globalThis.WebSocket(url, spoken)
        socket.addEventListener('message', ({ data }) => {
          ;(globalThis as unknown as { onFrame(text: string): void }).onFrame(String(data))
        })
      },
      [addressOf('browser'), ...protocols()],
    )
    expect(await replaced('browser', received)).toMatchObject(REPLACED)
  } finally {
    await browser.close()
  }
})

/** A stream of our client, and what happened to it, over the global WebSocket of Node. */
function streamOf(credential: { sessionToken: string }) {
  const log = { connected: 0, events: 0, stopped: [] as string[] }
  const client = new Recollect({ baseUrl: server.url, credential })
  const stream = client.events.listen({
    channels: ['conversation'],
    clientId: 'stream',
    onEvent: () => (log.events += 1),
    onConnected: () => (log.connected += 1),
    onStopped: (reason) => log.stopped.push(reason),
  })
  return { stream, log }
}

test('our own stream, replaced on a busy hub, stays closed, and the newer one goes on', async () => {
  const older = streamOf({ sessionToken: session })
  await until(() => expect(older.log.events).toBeGreaterThan(0))
  const newer = streamOf({ sessionToken: session })
  await until(() => expect(older.log.stopped).toEqual(['another connection with this client_id took over']))
  const before = newer.log.events
  await until(() => expect(newer.log.events).toBeGreaterThan(before + 3))
  expect({ older: older.log.connected, newer: newer.log }).toMatchObject({
    older: 1,
    newer: { connected: 1, stopped: [] },
  })
  newer.stream.close()
})

test('our own stream of a session that ends on a busy hub stops and does not come back', async () => {
  const login = await fetch(`${server.url}/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: `closed${users}@example.com`, password: 'a password for closing' }),
  })
  const { session_token: other } = (await login.json()) as { session_token: string }
  const { log } = streamOf({ sessionToken: other })
  await until(() => expect(log.events).toBeGreaterThan(0))
  const out = await fetch(`${server.url}/auth/logout`, { method: 'POST', headers: { 'X-Session-Token': other } })
  expect(out.ok).toBe(true)
  await until(() => expect(log.stopped).toEqual(['the credential has ended']))
  expect(log.connected).toBe(1)
})
