import { counted } from '../output/progress.ts'
import type { Forwarder } from './forward.ts'

/** Brings to its end what is under way to the hook, and says what did not come there and how to get it again. */
export async function finish(forwarder: Forwarder, say: (line: string) => void): Promise<void> {
  if (forwarder.pending > 0) say(`${eventsAre(forwarder.pending)} being sent to the hook. Waiting …`)
  await forwarder.end()
  const { unforwarded } = forwarder
  const [oldest] = unforwarded
  if (!oldest) return
  const { event, after } = oldest
  say(`${eventsAre(unforwarded.length)} not forwarded; the oldest is ${event.id}.`)
  if (after !== null) say(`To receive them again, use --after ${after}`)
}

const eventsAre = (n: number): string => counted(n, 'event is', 'events are')
