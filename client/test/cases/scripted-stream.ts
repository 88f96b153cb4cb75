import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'

/** What happens to a connection. Without an end it stays open. */
export interface Connection {
  refuse?: { status: number; headers: Record<string, string>; json: unknown }
  /** Events of a row may be named as `evt_001..evt_150`. */
  messages?: (object | string)[]
  /** The code of its close; 1006 breaks the line. */
  end?: number
}

/** The ids of a row, `evt_001..evt_150`; one id is a row of itself. */
export function idsOf(row: string): string[] {
  const [first = 0, last = first] = Array.from(row.matchAll(/\d+/g), Number)
  return Array.from({ length: last - first + 1 }, (_, n) => `evt_${String(first + n).padStart(3, '0')}`)
}

/** What came to an address. */
export interface Heard {
  paths: string[]
  tokens: string[]
  frames: unknown[]
}

/** A service whose WebSockets follow a script for each address that it gives out. */
export class ScriptedStream {
  readonly #scripts = new Map<string, { connections: Connection[]; heard: Heard }>()
  readonly #sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'recollect' })
  readonly #server = createServer((_, response) => response.writeHead(200).end('{"data":[]}'))

  async start(): Promise<void> {
    this.#server.on('upgrade', (request, line) => this.#upgrade(request, line))
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  script(connections: Connection[]): { baseUrl: string; heard: Heard } {
    const name = `/${this.#scripts.size}`
    const heard: Heard = { paths: [], tokens: [], frames: [] }
    this.#scripts.set(name, { connections, heard })
    return { baseUrl: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${name}`, heard }
  }

  #upgrade(request: IncomingMessage, line: Duplex): void {
    const [, name = '', path = ''] = /^(\/\d+)(.*)$/.exec(request.url ?? '') ?? []
    const { connections, heard } = this.#scripts.get(name)!
    const connection = connections[heard.paths.length] ?? {}
    heard.paths.push(path)
    heard.tokens.push(tokenOf(request))
    if (connection.refuse) return refuse(line, connection.refuse)
    this.#sockets.handleUpgrade(request, line, Buffer.alloc(0), (socket) => {
      socket.on('message', (data) => {
        if (Buffer.isBuffer(data)) heard.frames.push(JSON.parse(data.toString()))
      })
      play(socket, connection)
    })
  }
}

const tokenOf = ({ headers }: IncomingMessage): string =>
  headers.authorization?.replace('Bearer ', '') ??
  /bearer\.(\w+)/.exec(headers['sec-websocket-protocol'] ?? '')?.[1] ??
  ''

function play(socket: WebSocket, { messages = [], end }: Connection): void {
  for (const message of messages.flatMap((each) => (typeof each === 'string' ? idsOf(each).map(eventOf) : [each])))
    socket.send(JSON.stringify(message))
  if (end === 1006) socket.send('{"type":"pong"}', () => socket.terminate())
  else if (end !== undefined) socket.close(end)
}

const eventOf = (id: string): object => ({
  id,
  type: 'message.new',
  channel: 'conversation',
  timestamp: '2026-11-21T09:30:00.000Z',
  data: { conversation_id: 'c' },
})

function refuse(line: Duplex, { status, headers, json }: NonNullable<Connection['refuse']>): void {
  const body = JSON.stringify(json)
  const all = { ...headers, 'Content-Type': 'application/problem+json', 'Content-Length': `${Buffer.byteLength(body)}` }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  line.end(`HTTP/1.1 ${status} Refused\r\n${head.join('')}Connection: close\r\n\r\n${body}`)
}
