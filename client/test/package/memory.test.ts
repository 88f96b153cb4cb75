import { execFile } from 'node:child_process'
import { copyFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { newProject } from './support/build.ts'

const PROGRAM = 'many-events.ts'
/** Events of a line: then it is cut. The service sends no more than so many that are not acknowledged. */
const EVENTS_A_LINE = 900
const MAX_UNACKNOWLEDGED = 1_000
/** 5,000 events of a kilobyte each are five times as much. */
const MAX_GROWTH_BYTES = 2 ** 20

let project: string
beforeAll(async () => {
  project = await newProject()
  await copyFile(join(import.meta.dirname, 'programs', PROGRAM), join(project, PROGRAM))
})
afterAll(() => rm(project, { recursive: true, force: true }))

/** Sends events of a kilobyte without end, from the last id on, as fast as they are acknowledged, and cuts its lines. */
async function endless(): Promise<{ url: string; lines: () => number }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'recollect' })
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  let lines = 0
  // As long as those of the service, which sort by time.
  const idOf = (n: number) => `evt_${String(n).padStart(26, '0')}`
  const send = (socket: WebSocket, n: number, data: object, type = 'memory.created') =>
    socket.send(JSON.stringify({ id: idOf(n), type, channel: 'memory', timestamp: '', data }))
  server.on('connection', (socket, request) => {
    lines += 1
    const after = new URL(request.url ?? '', 'http://x').searchParams.get('last_event_id')
    let id = Number(after?.slice(4) ?? 0)
    let sent = 0
    let acknowledged = 0
    send(socket, id, { state: 'connected', recovered: true, replayed: 0 }, 'system.status')
    const fill = () => {
      while (sent - acknowledged < MAX_UNACKNOWLEDGED && sent < EVENTS_A_LINE) {
        id += 1
        sent += 1
        send(socket, id, { text: 'x'.repeat(1_000) })
      }
      if (sent === EVENTS_A_LINE && acknowledged > EVENTS_A_LINE - 100) socket.terminate()
    }
    socket.on('message', (message) => {
      acknowledged = (JSON.parse((message as Buffer).toString()) as { received?: number }).received ?? acknowledged
      fill()
    })
    fill()
  })
  await new Promise((resolve) => server.on('listening', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lines: () => lines }
}

test.each(['callback', 'loop'])('10,000 events by %s leave nothing in memory', async (by) => {
  const { url, lines } = await endless()
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', PROGRAM], {
    cwd: project,
    env: { PATH: process.env['PATH'], BASE: url, BY: by },
  })
  const { count, grownBytes } = JSON.parse(stdout) as { count: number; grownBytes: number }
  expect(count).toBe(10_000)
  expect(grownBytes).toBeLessThan(MAX_GROWTH_BYTES)
  expect(lines()).toBeGreaterThan(10)
})
