import { WebSocket as PartySocket } from 'partysocket'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Recollect, type EventMessage } from 'recollect'
import { hasBrowser, launchBrowser } from './support/browser.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'
import { startServer, type Server } from './support/server.ts'
import { until } from '../support/until.ts'

const PASSWORD = 'a password for listening'

interface Message {
  id: string
  type: string
  data: { n?: number; recovered?: boolean }
}

let server: Server
let proxy: TcpProxy
/** The session token of the current test's user. */
let session: string
let email: string
let users = 0

beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '1000', LOG_REQUESTS: 'true' } })
  proxy = await startTcpProxy(server.url)
})
beforeEach(async () => {
  email = `listener${(users += 1)}@example.com`
  const signedUp = await fetch(`${server.url}/auth/register-user`, {
    method: 'POST',
    body: new URLSearchParams({ email, password: PASSWORD, name: 'Listener' }),
  })
  session = ((await signedUp.json()) as { session_token: string }).session_token
})
afterAll(async () => {
  await proxy.stop()
  await server.stop()
})

async function publish(n: number): Promise<string> {
  const response = await fetch(`${server.url}/api/events/publish`, {
    method: 'POST',
    headers: { 'X-Session-Token': session, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'message.new', data: { conversation_id: 'c', n } }),
  })
  expect(response.status).toBe(202)
  return ((await response.json()) as { event_id: string }).event_id
}

const addressFrom = (lastEventId: string | undefined): string =>
  `${proxy.url}/realtime?channels=conversation&token=${session}` +
  (lastEventId === undefined ? '' : `&last_event_id=${lastEventId}`)

/** Cuts the connection and resumes with the last id. Published and received ids must be the same. */
async function survives(received: () => Message[], comeBack: () => void | Promise<void>) {
  const connections = () => received().filter((one) => one.type === 'system.status')
  const events = () => received().filter((one) => one.type === 'message.new')
  const numbers = () => new Set(events().map((one) => one.data.n))
  const wait = (check: () => void) => until(check)

  await wait(() => expect(connections()).toHaveLength(1))
  const ids = [await publish(1)]
  await wait(() => expect(numbers()).toEqual(new Set([1])))
  proxy.cut()
  ids.push(await publish(2), await publish(3))
  proxy.restore()
  await comeBack()
  await wait(() => expect(numbers()).toEqual(new Set([1, 2, 3])))
  expect(connections().at(-1)?.data.recovered).toBe(true)
  ids.push(await publish(4))
  await wait(() => expect(numbers()).toEqual(new Set([1, 2, 3, 4])))
  return { published: new Set(ids), arrived: new Set(events().map((one) => one.id)) }
}

test('ws loses the connection, resumes with last_event_id and misses nothing', async () => {
  const received: Message[] = []
  let socket: WebSocket
  const open = () => {
    socket = new WebSocket(addressFrom(received.at(-1)?.id))
    socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString()) as Message))
    socket.on('error', () => {})
  }
  open()
  const { published, arrived } = await survives(() => received, open)
  expect(arrived).toEqual(published)
  socket!.close()
})

test('partysocket does so by itself', async () => {
  const received: Message[] = []
  const socket = new PartySocket(() => addressFrom(received.at(-1)?.id), [], {
    WebSocket,
    minReconnectionDelay: 50,
    maxReconnectionDelay: 200,
  })
  socket.addEventListener('message', ({ data }) => received.push(JSON.parse(String(data)) as Message))
  const { published, arrived } = await survives(
    () => received,
    () => {},
  )
  expect(arrived).toEqual(published)
  socket.close()
})

test('our own client does so by itself, and drops repeats', async () => {
  const received: Message[] = []
  const ids: string[] = []
  const client = new Recollect({ baseUrl: proxy.url.replace(/^ws/, 'http'), credential: { sessionToken: session } })
  const stream = client.events.listen<Message & EventMessage>({
    channels: ['conversation'],
    clientId: 'e2e',
    onEvent: (event) => {
      ids.push(event.id)
      received.push(event)
    },
    onConnected: ({ recovered }) => received.push({ id: '', type: 'system.status', data: { recovered } }),
  })
  const { published, arrived } = await survives(
    () => received,
    () => {},
  )
  expect(arrived).toEqual(published)
  expect(new Set(ids).size).toBe(ids.length)
  stream.close()
})

test.runIf(hasBrowser)("a browser's own WebSocket carries its token in the subprotocol, and resumes", async () => {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`${server.url}/health`)
    const received: Message[] = []
    await page.exposeFunction('onFrame', (text: string) => received.push(JSON.parse(text) as Message))
    const open = (lastEventId: string | undefined) =>
      page.evaluate(
        ([url = '', token]) => {
          const socket = new globalThis.WebSocket(url, ['recollect', `bearer.${token}`])
          socket.addEventListener('message', ({ data }) => {
            ;(globalThis as unknown as { onFrame(text: string): void }).onFrame(String(data))
          })
        },
        [addressFrom(lastEventId).replace(`&token=${session}`, ''), session],
      )
    await open(undefined)
    const { published, arrived } = await survives(
      () => received,
      () => open(received.at(-1)?.id),
    )
    expect(arrived).toEqual(published)
  } finally {
    await browser.close()
  }
})

test('security 46: a changed password closes the socket of another session with 4401, and not its own', async () => {
  const login = await fetch(`${server.url}/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: email, password: PASSWORD }),
  })
  const { session_token: other } = (await login.json()) as { session_token: string }
  const listen = async (token: string) => {
    const socket = new WebSocket(`${proxy.url}/realtime?channels=conversation&token=${token}`)
    const closed: number[] = []
    socket.on('close', (code) => closed.push(code))
    await new Promise((resolve) => socket.once('message', resolve))
    return { socket, closed }
  }
  const [mine, theirs] = [await listen(session), await listen(other)]
  const changed = await fetch(`${server.url}/v1/users/me/password`, {
    method: 'POST',
    headers: { 'X-Session-Token': session, 'Content-Type': 'application/json' },
    body: JSON.stringify({ current_password: PASSWORD, new_password: 'another password for listening' }),
  })
  expect(changed.status).toBe(204)
  await until(() => expect(theirs.closed).toEqual([4401]))
  expect(mine.socket.readyState).toBe(WebSocket.OPEN)
  mine.socket.close()
})

test('security 24: no token of a socket is in the log', async () => {
  await new Promise<void>((resolve) => {
    const socket = new WebSocket(addressFrom(undefined))
    socket.on('message', () => socket.close())
    socket.on('close', () => resolve())
  })
  await until(() => expect(server.log()).toContain('"route":"/realtime"'))
  expect(server.log()).not.toContain(session)
  expect(server.log()).not.toContain('token=')
})

test('a refused upgrade answers problem+json', async () => {
  const refused = await new Promise<number | undefined>((resolve) => {
    const socket = new WebSocket(`${proxy.url}/realtime?channels=conversation`)
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
    socket.on('error', () => {})
  })
  expect(refused).toBe(401)
})
