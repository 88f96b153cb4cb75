import { RecollectError, type EventMessage, type EventStream } from '../../index.ts'
import type { Io } from '../io.ts'
import { counted } from '../output/progress.ts'
import type { Service } from '../service.ts'

export interface Listening {
  channels: readonly string[]
  lastEventId?: string
  /** `after`: the position in the stream before the event. */
  onEvent: (event: EventMessage, after: string | null) => void
  say: (line: string) => void
}

/** Listens until Ctrl-C (null) or until the stream ends for good: why. Fails before where the caller may not. */
export async function listenUntilEnd(io: Io, service: Service, listening: Listening): Promise<RecollectError | null> {
  await mayListen(service, listening.channels)
  const { channels, lastEventId, onEvent, say } = listening
  return new Promise((resolve, reject) => {
    let connects = 0
    let told = false
    const stream: EventStream<EventMessage> = service.client.events.listen<EventMessage>({
      channels,
      ...(lastEventId === undefined ? {} : { lastEventId }),
      signal: io.interrupted,
      onEvent: (event) => onEvent(event, stream.lastEventId),
      onConnected: ({ missed, replayed, hint }) => {
        connects += 1
        told = false
        if (connects === 1) say(`Listening on ${channels.join(', ')}. Press Ctrl-C to stop.${hint ? ` ${hint}` : ''}`)
        else say(`Reconnected${replayed > 0 ? `; caught up on ${counted(replayed, 'event')}` : ''}.`)
        if (missed) say('Events may have been lost: the service could not resume. Read what you need again.')
      },
      onDisconnected: () => {
        if (!told) say('The connection was lost. Reconnecting …')
        told = true
      },
      onStopped: (_, failure) => {
        if (io.interrupted.aborted) resolve(null)
        else if (failure instanceof RecollectError) resolve(failure)
        else reject(failure)
      },
    })
  })
}

/** A WebSocket that is refused tells no reason, so two reads ask before: for events, and for memory on its channel. */
async function mayListen(service: Service, channels: readonly string[]): Promise<void> {
  await service.call((client, call) => client.subscriptions.list({ limit: 1 }, call))
  if (channels.includes('memory')) await service.call((client, call) => client.memory.list({ limit: 1 }, call))
}
