import { handlers } from '../../src/consumer.ts'
import type { System } from '../../src/core/context.ts'
import { MESSAGE_KINDS, type MessageKind } from '../../src/core/message-kinds.ts'
import type { QueueName, Queues } from '../../src/core/ports.ts'
import { sweepMinute } from '../../src/cron.ts'
import { MINUTE, travel } from './clock.ts'
import { messageOf } from './queue-message.ts'
import { system } from './world.ts'

interface Sent {
  queue: QueueName
  body: unknown
}

/** The declared kind of a message. A queue of several kinds names it in the body. */
function kindOf({ queue, body }: Sent): MessageKind {
  const ofQueue = MESSAGE_KINDS.filter((kind) => kind.queue === queue)
  const named = ofQueue.find(
    ({ name }) => typeof body === 'object' && body !== null && 'kind' in body && body.kind === name,
  )
  const kind = named ?? (ofQueue.length === 1 ? ofQueue[0] : undefined)
  if (!kind) throw new Error(`no kind is declared for a message of the queue ${queue}: ${JSON.stringify(body)}`)
  return kind
}

export type Fate = 'lost' | 'late' | 'doubled'

/**
 * The queues, in the hands of a test, which delivers by itself. Messages of one kind have a fate until the first minute is
 * over: they are lost, come after everything else, or come twice.
 */
export function mailbox(subject: MessageKind, fate: Fate) {
  let waiting: Sent[] = []
  const late: Sent[] = []
  const met = { subject: 0 }
  let isFirstMinute = true
  const send: Queues['send'] = async (queue, bodies) => {
    for (const body of bodies) {
      const sent = { queue, body }
      const isSubject = kindOf(sent) === subject
      if (isSubject) met.subject += 1
      if (!isSubject || !isFirstMinute) waiting.push(sent)
      else if (fate === 'doubled') waiting.push(sent, sent)
      else if (fate === 'late') late.push(sent)
    }
  }
  let working: Promise<unknown>[] = []
  const parts = {
    queues: { send },
    log: { info: () => {}, error: () => {} },
    waitUntil: (work: Promise<unknown>) => void working.push(work),
  }
  const changed: System = { ...system, ...parts }

  async function deliver(): Promise<void> {
    while (waiting.length > 0 || working.length > 0) {
      const work = working
      working = []
      await Promise.all(work)
      const sent = waiting
      waiting = []
      for (const [queue, own] of Map.groupBy(sent, (one) => one.queue)) {
        const messages = own.map(({ body }) => messageOf(body))
        const left = await handlers[queue].consume(changed, messages)
        const retried = messages.filter(({ retry }) => retry.mock.calls.length > 0).map(({ body }) => body)
        waiting.push(...[...left, ...retried].map((body) => ({ queue, body })))
      }
    }
  }

  /** Sweeps minute by minute, and delivers what is sent, until the end is reached. Late messages come behind that. */
  async function settle(isReached: () => Promise<boolean>, minutes = 12): Promise<boolean> {
    await deliver()
    for (let minute = 0; minute < minutes && (minute === 0 || !(await isReached())); minute += 1) {
      travel(MINUTE)
      await sweepMinute(changed, Math.floor(system.now() / MINUTE))
      await deliver()
      isFirstMinute = false
    }
    waiting.push(...late.splice(0))
    await deliver()
    return isReached()
  }

  return { parts, met, settle }
}
