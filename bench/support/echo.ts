import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

/** The floor: a bare `ws` server on the same machine sends each message back, over the same number of sockets. */
export async function measureEcho(sockets: number, messages: number): Promise<number[]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  server.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
  const { port } = server.address() as AddressInfo
  const open = await Promise.all(
    Array.from(
      { length: sockets },
      () =>
        new Promise<WebSocket>((resolve, reject) => {
          const socket = new WebSocket(`ws://127.0.0.1:${port}`)
          socket.on('open', () => resolve(socket))
          socket.on('error', reject)
        }),
    ),
  )
  const times: number[] = []
  for (let index = 0; index < messages; index += 1) {
    const socket = open[index % open.length]
    if (!socket) throw new Error('no socket')
    const startedAt = performance.now()
    const back = new Promise((resolve) => socket.once('message', resolve))
    socket.send('x'.repeat(200))
    await back
    times.push(performance.now() - startedAt)
  }
  for (const socket of open) socket.terminate()
  await new Promise((resolve) => server.close(resolve))
  return times
}
