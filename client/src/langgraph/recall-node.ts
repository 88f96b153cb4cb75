import { recall, type RecallOptions } from '../conversations/recall.ts'
import type { Message } from '../conversations/message.ts'

/** Of `@langchain/core`. */
interface GraphMessage {
  getType(): string
  readonly text: string
}

interface RunConfig {
  configurable?: Record<string, unknown>
}

export interface RecallNodeOptions<Channel extends string> extends Omit<RecallOptions, 'user' | 'signal'> {
  /** The user of a run. Default: `user_id` of its `configurable`. */
  user?: (config: RunConfig) => string | undefined
  /** Where in the state the text goes. Default: `memories`. */
  channel?: Channel
}

const ROLES: Record<string, Message['role']> = { human: 'user', ai: 'assistant', system: 'system' }

/**
 * A node of a graph with `messages` in its state: puts what is remembered and fits the last message of the user into a channel
 * of the state, as text for the system message of the model. A run without a user is a TypeError.
 */
export function recallNode<Channel extends string = 'memories'>(options: RecallNodeOptions<Channel> = {}) {
  const { user = userOf, channel = 'memories', ...others } = options
  return async (
    { messages }: { messages: readonly GraphMessage[] },
    config: RunConfig & { signal?: AbortSignal } = {},
  ): Promise<Record<Channel, string>> => {
    const id = user(config)
    if (typeof id !== 'string') throw new TypeError('A run must have a user: set configurable.user_id.')
    const asked = messages.map((message): Message => ({
      role: ROLES[message.getType()] ?? 'tool',
      content: message.text,
    }))
    const { signal } = config
    const { text } = await recall(asked, { ...others, user: id, ...(signal ? { signal } : {}) })
    return { [channel]: text } as Record<Channel, string>
  }
}

const userOf = ({ configurable }: RunConfig): string | undefined => {
  const id = configurable?.['user_id']
  return typeof id === 'string' ? id : undefined
}
