import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'

/**
 * What happens to a request on its way. `cut after` and `half` lose the answer of work that is done. `twice` sends it two
 * times at once, and a refusal comes back if one of them is refused.
 */
export const FAULTS = ['none', 'cut before', 'cut after', 'half', 'delay', 429, 502, 503, 504, 'twice'] as const
export type Fault = (typeof FAULTS)[number] | 'hang' | 'drip'

/** What happens to the upgrades to a WebSocket, in turn. The first connection that stays is the third one. */
export const UPGRADE_FAULTS: readonly Fault[] = [503, 'cut before', 'none', 'half', 429, 'twice', 'cut after', 'delay']

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

const DELAY_MS = 30
const delayOf = (fault: Fault): number => (fault === 'delay' ? DELAY_MS : 0)
const DRIP_MS = 20
/**
 * The first line is cut after so many messages, each later one after as many more: a resume repeats what was not yet
 * settled, and a line must outlive these repeats. Each third message comes twice.
 */
const MESSAGES_A_LINE = 7

/** A proxy to the service that fails as `next` says, and whose WebSockets break and repeat messages. */
export async function startFaultyProxy(target: string, next: (request: IncomingMessage) => Fault) {
  const met: Fault[] = []
  const opened: WebSocket[] = []
  let upgrades = 0
  let lines = 0
  const server = createServer((from, to) => void serve(from, to))
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'recollect' })

  async function serve(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const body = await buffer(from)
    const fault = next(from)
    met.push(fault)
    if (typeof fault === 'number') return void to.writeHead(fault, { 'Retry-After': '0' }).end()
    if (fault === 'cut before') return void from.socket.destroy()
    if (fault === 'hang') return
    const answers = await Promise.all(Array.from({ length: fault === 'twice' ? 2 : 1 }, () => forward(from, body)))
    const answer = answers.reduce((one, other) => (other.status > one.status ? other : one))
    if (fault === 'cut after') return void from.socket.destroy()
    await wait(delayOf(fault))
    const { 'content-length': _, ...unbounded } = answer.headers
    to.writeHead(answer.status, fault === 'drip' ? unbounded : answer.headers)
    if (fault === 'half')
      return void to.write(answer.body.subarray(0, answer.body.length / 2), () => from.socket.destroy())
    if (fault === 'drip') return drip(to)
    to.end(answer.body)
  }

  /** White space before JSON is JSON, for ever. */
  async function drip(to: ServerResponse): Promise<void> {
    while (!to.destroyed) {
      to.write(' ')
      await wait(DRIP_MS)
    }
  }

  const forward = (from: IncomingMessage, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { host: _, 'transfer-encoding': __, ...headers } = from.headers
      const onward = send(`${target}${from.url}`, { method: from.method ?? 'GET', headers }, (answer) => {
        resolve(answerOf(answer))
      })
      onward.on('error', reject)
      onward.end(body)
    })

  server.on('upgrade', (request, socket, head) => void upgrade(request, socket, head))

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const fault = UPGRADE_FAULTS[upgrades % UPGRADE_FAULTS.length] ?? 'none'
    upgrades += 1
    if (fault === 'cut before') return void socket.destroy()
    if (typeof fault === 'number') return void socket.end(`HTTP/1.1 ${fault} No\r\nRetry-After: 0\r\n\r\n`)
    await wait(delayOf(fault))
    try {
      // The service replaces the first by the second, because both have the same client id.
      if (fault === 'twice') await connect(request)
      const far = await connect(request)
      if (fault === 'cut after') return void socket.destroy()
      if (fault === 'half') return void socket.write('HTTP/1.1 101 Switching Pro', () => socket.destroy())
      sockets.handleUpgrade(request, socket, head, (near) => join(near, far))
    } catch {
      socket.destroy()
    }
  }

  async function connect({ headers, url = '' }: IncomingMessage): Promise<WebSocket> {
    const protocols = String(headers['sec-websocket-protocol']).split(/, */)
    const far = new WebSocket(target.replace(/^http/, 'ws') + url, protocols)
    far.on('error', () => {})
    // What comes before somebody listens waits.
    far.on('open', () => far.pause())
    opened.push(far)
    await once(far, 'open')
    return far
  }

  /** Leads messages both ways, until the line is cut. */
  function join(near: WebSocket, far: WebSocket): void {
    lines += 1
    let count = 0
    const last = lines * MESSAGES_A_LINE
    far.on('message', (data) => {
      count += 1
      for (let copy = count % 3 === 0 ? 2 : 1; copy > 0; copy -= 1) near.send(data, { binary: false })
      if (count === last) near.terminate()
    })
    far.resume()
    near.on('message', (data) => far.send(data, { binary: false }))
    near.on('close', () => far.terminate())
    far.on('close', (code) => (near.readyState === WebSocket.OPEN ? near.close(code >= 4_000 ? code : 1_000) : 0))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    met,
    upgrades: () => upgrades,
    lines: () => lines,
    stop: () => {
      server.closeAllConnections()
      for (const socket of [...sockets.clients, ...opened]) socket.terminate()
      server.close()
    },
  }
}

async function answerOf(answer: IncomingMessage): Promise<Answer> {
  const body = await buffer(answer)
  const { 'transfer-encoding': _, connection: __, ...headers } = answer.headers
  const status = answer.statusCode ?? 500
  return { status, headers: status === 204 ? headers : { ...headers, 'content-length': String(body.length) }, body }
}
