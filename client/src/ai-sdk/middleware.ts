import type { LanguageModelMiddleware } from 'ai'
import { recall } from '../conversations/recall.ts'
import { remember } from '../conversations/remember.ts'
import { requirePlace, type Place } from '../conversations/place.ts'
import { MAX_SENT_CHARACTERS, messagesOf, withSystem, type Prompt } from './prompt.ts'
import { randomKey } from '../http.ts'
import { storable } from '../storable.ts'
import { MEMORY_TIMEOUT_MS, quietly } from '../conversations/quietly.ts'

export interface MemoryMiddlewareOptions extends Pick<Place, 'recollect' | 'user' | 'context'> {
  /** Default: each middleware is a conversation of its own. */
  conversationId?: string
  /** The most tokens of its context that memories take. Default: 1,000. */
  maxTokens?: number
  /** Recalls nothing of the conversation itself, which the prompt then must hold in full. Default: false. */
  excludeConversation?: boolean
  /** What is stored after an answer. Default: both sides. */
  store?: 'both' | 'question' | 'none'
  /** Tags of what is stored. */
  tags?: string[]
  /**
   * Told of each failure of the memory, which then never fails the model. Without it, a 4xx fails the call, and the network, a
   * 429 and a 5xx warn once on the console.
   */
  onError?: (error: unknown) => void
}

type StreamResult = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>
type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never

/**
 * Middleware of the AI SDK for a language model: before a call it recalls what fits the last message of the user, and after
 * the answer it stores what is new in the conversation. In a loop of tools it recalls for each step, and stores after the
 * last one. An empty id of a user is a TypeError.
 */
export function memoryMiddleware(options: MemoryMiddlewareOptions = {}): LanguageModelMiddleware {
  requirePlace(options)
  const { maxTokens, excludeConversation = false, store = 'both', tags, onError } = options
  const conversationId = options.conversationId ?? randomKey()
  const place: Place = { ...options, timeoutMs: MEMORY_TIMEOUT_MS }
  const safely = quietly(onError)

  const recalled = (prompt: Prompt, signal: AbortSignal | undefined): Promise<string> =>
    recall(messagesOf(prompt), {
      ...place,
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(excludeConversation ? { excludeConversationId: conversationId } : {}),
      ...(signal ? { signal } : {}),
    }).then(({ text }) => text)

  /** The whole prompt is sent: the service knows which of its messages are new. */
  const stored = async (prompt: Prompt, answer: string): Promise<void> => {
    const answered = { role: 'assistant' as const, content: storable(answer, MAX_SENT_CHARACTERS) }
    const messages = [...messagesOf(prompt), ...(answer.trim() === '' ? [] : [answered])].filter(
      ({ role }) => store === 'both' || role === 'user',
    )
    if (store !== 'none')
      await remember(messages, { ...place, conversationId, mode: 'history', ...(tags ? { tags } : {}) })
  }

  return {
    specificationVersion: 'v4',

    async transformParams({ params }) {
      if (!messagesOf(params.prompt).some(({ role }) => role === 'user')) return params
      const text = await safely(() => recalled(params.prompt, params.abortSignal))
      return text ? { ...params, prompt: withSystem(params.prompt, text) } : params
    },

    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate()
      const answer = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
      if (isLast(result.finishReason.unified)) await safely(() => stored(params.prompt, answer))
      return result
    },

    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream()
      let answer = ''
      let finished: string | undefined
      const heard = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          if (part.type === 'text-delta') answer += part.delta
          if (part.type === 'finish') finished = part.finishReason.unified
          controller.enqueue(part)
        },
        // The stream ends once both are stored, because nothing may run after it where the program ends with its request.
        async flush() {
          if (finished !== undefined && isLast(finished)) await safely(() => stored(params.prompt, answer))
        },
      })
      return { stream: stream.pipeThrough(heard), ...rest }
    },
  }
}

/** The model has answered, and calls no tool whose result it waits for. */
const isLast = (finishReason: string): boolean => finishReason === 'stop' || finishReason === 'length'
