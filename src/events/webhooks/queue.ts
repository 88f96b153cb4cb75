import type { System } from '../../core/context.ts'

/** What is not sent in this time expires (contract §5). */
export const WAITS_MS = 7 * 24 * 3_600_000
/** A delivery that is due and whose message did not come within this time is sent a new one. */
export const FIRST_RESEND_MS = 120_000
/** Queue delays are kept under the platform's limit (architecture §9); what is due later is left to the sweep. */
const MAX_DELAY_SECONDS = 12 * 3_600

export interface DeliveryMessage {
  id: string
}

/** Hands over deliveries that are due later. Queues delay by whole seconds: what comes back together travels together. */
export async function enqueueLater(
  system: Pick<System, 'queues' | 'log'>,
  deliveries: readonly { id: string; pauseMs: number }[],
): Promise<void> {
  const bySecond = Map.groupBy(deliveries, ({ pauseMs }) => Math.ceil(pauseMs / 1_000))
  const sends = [...bySecond].map(([seconds, together]) =>
    enqueueDeliveries(
      system,
      together.map(({ id }) => ({ id })),
      seconds * 1_000,
    ),
  )
  await Promise.all(sends)
}

/** Hands deliveries to their queue; what gets lost is found by the sweep, so a failure is only logged. */
export async function enqueueDeliveries(
  system: Pick<System, 'queues' | 'log'>,
  messages: readonly DeliveryMessage[],
  delayMs = 0,
): Promise<void> {
  const delaySeconds = Math.max(0, Math.ceil(delayMs / 1_000))
  if (messages.length === 0 || delaySeconds > MAX_DELAY_SECONDS) return
  try {
    await system.queues.send('delivery', messages, delaySeconds > 0 ? { delaySeconds } : {})
  } catch (error) {
    system.log.error({ event: 'deliveries.enqueue_failed', deliveries: messages.length }, error)
  }
}
