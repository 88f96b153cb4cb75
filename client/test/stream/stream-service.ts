import { expect } from 'vitest'
import type { SocketLike } from '../../src/stream/socket.ts'
import { EventStream } from '../../src/stream/event-stream.ts'
import type { ListenOptions } from '../../src/stream/listen-options.ts'
import { until } from '../../../test/support/until.ts'

type Listener = (event: { data: unknown; code: number }) => void

/** `onStopped: null` leaves that callback out. */
type Given = Partial<Omit<ListenOptions, 'onStopped'>> & { onStopped?: ListenOptions['onStopped'] | null }

/** A service whose messages the test sends; each connection of the client is a line. */
export function service(options: Given = {}, token: () => string = () => 'rcs_x', probe?: () => Promise<unknown>) {
  const lines: {
    url: URL
    protocols: string[]
    sent: unknown[]
    /** Codes with which the client has closed. */
    closed: (number | undefined)[]
    say(message: unknown): void
    end(code: number): void
  }[] = []
  const open = (url: string, protocols: string[]): SocketLike => {
    const listeners: Partial<Record<string, Listener>> = {}
    const sent: unknown[] = []
    const closed: (number | undefined)[] = []
    lines.push({
      url: new URL(url),
      protocols,
      sent,
      closed,
      say: (message) => listeners['message']?.({ data: JSON.stringify(message), code: 0 }),
      end: (code) => listeners['close']?.({ data: null, code }),
    })
    return {
      send: (text) => sent.push(JSON.parse(text)),
      close: (code) => closed.push(code),
      addEventListener: (type: string, listener: Listener) => {
        listeners[type] = listener
      },
    }
  }
  const received: string[] = []
  const connected: { missed: boolean }[] = []
  const stopped: string[] = []
  const waits: number[] = []
  const { onStopped = (reason: string) => void stopped.push(reason), ...others } = options
  const stream = new EventStream(
    {
      channels: ['memory', 'conversation'],
      onEvent: ({ id }) => received.push(id),
      onConnected: (state) => connected.push(state),
      ...(onStopped ? { onStopped } : {}),
      ...others,
    },
    {
      url: 'wss://service.example/realtime',
      token: async () => token(),
      open,
      sleep: async (ms) => void waits.push(ms),
      random: () => 0,
      ...(probe ? { probe } : {}),
    },
  )
  const line = async (index: number) => {
    await until(() => expect(lines.length).toBeGreaterThan(index))
    return lines[index]!
  }
  return { stream, received, connected, stopped, waits, lines, line }
}

export const first = (id: string, recovered = false) => ({
  id,
  type: 'system.status',
  data: { recovered, replayed: 0 },
})
export const closing = (id: string, code: number) => ({
  id,
  type: 'system.status',
  data: { state: 'closing', code, reason: 'why' },
})
export const event = (id: string) => ({ id, type: 'memory.created', data: {} })
