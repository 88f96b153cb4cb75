import type { QueueName } from './ports.ts'

/**
 * What messages are about. Of work the rows of the database say what is due: a message that is lost, late or doubled costs
 * only time, since a sweep reaches the same end. Data is in no database yet: its message is the only copy, which we never
 * lose, and which adds once however often it comes.
 */
export interface MessageKind<Holds extends 'work' | 'data' = 'work' | 'data'> {
  readonly queue: QueueName
  /** In a queue of several kinds it stands in the body, as `kind`. */
  readonly name: string
  readonly holds: Holds
}

/** Every kind of message, as the features declare them where they send them. */
export const MESSAGE_KINDS: MessageKind[] = []

const declared =
  <Holds extends 'work' | 'data'>(holds: Holds) =>
  (queue: QueueName, name: string): MessageKind<Holds> => {
    const kind = { queue, name, holds }
    MESSAGE_KINDS.push(kind)
    return kind
  }

export const workMessages = declared('work')
export const dataMessages = declared('data')
