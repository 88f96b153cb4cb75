import { exports } from 'cloudflare:workers'
import { expect } from 'vitest'
import { until } from './until.ts'

export interface Message {
  id?: string
  type: string
  channel?: string
  timestamp?: string
  data?: any
}

/** A client's end of a WebSocket through the whole Worker: what it received, and how it was closed. */
export interface TestSocket {
  readonly response: Response
  readonly messages: Message[]
  readonly closed: { code: number; reason: string } | null
  send(message: unknown): void
  close(): void
  /** Waits for a message of that type and answers the first one. */
  received(type: string, where?: (message: Message) => boolean): Promise<Message>
}

/** The upgrade request, and the answer whatever it is. */
export const requestSocket = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  exports.default.fetch(new Request(`http://recollect.test${path}`, { headers: { Upgrade: 'websocket', ...headers } }))

/** An open socket, past its first frame. */
export async function openSocket(path: string, headers: Record<string, string> = {}): Promise<TestSocket> {
  const response = await requestSocket(path, headers)
  if (!response.webSocket) throw new Error(`no upgrade: ${response.status} ${await response.text()}`)
  const socket = response.webSocket
  const messages: Message[] = []
  let closed: TestSocket['closed'] = null
  socket.addEventListener('message', ({ data }) => {
    messages.push(JSON.parse(String(data)) as Message)
  })
  socket.addEventListener('close', ({ code, reason }) => {
    closed = { code, reason }
  })
  socket.accept()
  const find = (type: string, where: (message: Message) => boolean) =>
    messages.find((one) => one.type === type && where(one))
  const test: TestSocket = {
    response,
    messages,
    get closed() {
      return closed
    },
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    close: () => socket.close(1000, 'bye'),
    received: async (type, where = () => true) => {
      await until(() => expect(find(type, where)).toBeDefined())
      return find(type, where) as Message
    },
  }
  await test.received('system.status', (one) => one.data.state === 'connected')
  return test
}

/** The messages after the first frame. */
export const receivedBy = (socket: TestSocket): Message[] => socket.messages.slice(1)

/** A frame that the socket may receive was sent after one that it may not: once it is there, the other did not come. */
export const reaches = (socket: TestSocket, id: string): Promise<Message> =>
  socket.received('message.new', (one) => one.id === id)
