import type { System } from './context.ts'

/** One queue message. Unless the handler says otherwise it is acknowledged when the handler returns. */
export interface QueueMessage<Body = unknown> {
  readonly id: string
  readonly body: Body
  readonly attempts: number
  readonly sentAt: number
  ack(): void
  /** Burns one of the queue's attempts (architecture §9). */
  retry(delaySeconds?: number): void
}

/** How a feature consumes its queue. A throw retries the whole batch. */
export interface QueueConsumer {
  consume(system: System, messages: readonly QueueMessage[]): Promise<void>
  /** Messages that the queue gave up on: put what they stood for back, and raise an alert line. */
  onDeadLetters(system: System, messages: readonly QueueMessage[]): Promise<void>
}

/** A sweep that the clock starts; each must be bounded and safe to run twice at once. */
export interface Sweep {
  name: string
  everyMinutes: number
  run(system: System): Promise<void>
}
