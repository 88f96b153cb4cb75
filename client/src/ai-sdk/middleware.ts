import type { LanguageModelMiddleware } from 'ai'
import type { Recollect } from '../index.ts'
import { requireIds } from '../require-ids.ts'
import type { BatchOperation } from '../types.ts'
import { storable } from '../storable.ts'
import { memoriesText, questionOf, withSystem, type Prompt } from './prompt.ts'

export interface MemoryMiddlewareOptions {
  recollect: Recollect
  /** Where it searches and stores: a project, a namespace, a conversation. Of a namespace for each user, say. */
  context?: { project_id?: string; namespace?: string; conversation_id?: string; session_id?: string; subject?: string }
  /** Memories that the model gets at most: 5. */
  limit?: number
  /** The most tokens of its context that they take. Default: 1,000. */
  maxTokens?: number
  /** The texts that are stored after an answer. Default: both sides. */
  store?: 'both' | 'question' | 'none'
  /** Tags of what is stored, besides its side. */
  tags?: string[]
  /** Told of each failure of the memory, which never fails the model. */
  onError: (error: unknown) => void
}

const MAX_QUERY_CHARACTERS = 4_096
/** The model waits for what it recalls. */
const MEMORY_TIMEOUT_MS = 5_000
/** Of the texts of one atomic batch (contract §3). */
const MAX_PAIR_CHARACTERS = 65_536

type StreamResult = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>
type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never

/**
 * Middleware of the AI SDK for a language model: before a call it recalls what fits the last message of the user, and after
 * the answer it stores question and answer. In a loop of tools it recalls for each step, and stores the last one alone.
 * An empty id in `context` is a TypeError.
 */
export function memoryMiddleware(options: MemoryMiddlewareOptions): LanguageModelMiddleware {
  requireIds({ ...options.context })
  const quietly = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      options.onError(error)
      return null
    }
  }
  return {
    specificationVersion: 'v4',

    async transformParams({ params }) {
      const question = questionOf(params.prompt)
      if (question === null) return params
      const texts = await quietly(() => recall(options, question, params.abortSignal))
      return texts && texts.length > 0 ? { ...params, prompt: withSystem(params.prompt, memoriesText(texts)) } : params
    },

    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate()
      const answer = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
      if (isLast(result.finishReason.unified)) await quietly(() => remember(options, params.prompt, answer))
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
          if (finished !== undefined && isLast(finished)) await quietly(() => remember(options, params.prompt, answer))
        },
      })
      return { stream: stream.pipeThrough(heard), ...rest }
    },
  }
}

/** The model has answered, and calls no tool whose result it waits for. */
const isLast = (finishReason: string): boolean => finishReason === 'stop' || finishReason === 'length'

async function recall(
  { recollect, context, limit = 5, maxTokens = 1_000 }: MemoryMiddlewareOptions,
  question: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const { conversation_id: _conversation, session_id: _session, ...where } = context ?? {}
  const { results } = await recollect.memory.search(
    { query: storable(question, MAX_QUERY_CHARACTERS), context: where, limit, max_tokens: maxTokens },
    { timeoutMs: MEMORY_TIMEOUT_MS, ...(signal ? { signal } : {}) },
  )
  return results.map(({ content }) => content.text)
}

/** Question and answer become one batch, so that neither is without the other. A question that is known stays one item. */
async function remember(
  { recollect, context = {}, store = 'both', tags = [] }: MemoryMiddlewareOptions,
  prompt: Prompt,
  answer: string,
): Promise<void> {
  const question = questionOf(prompt)
  const texts = pairOf(store === 'none' ? '' : (question ?? ''), store === 'both' ? answer : '')
  const operations = (['question', 'answer'] as const).flatMap((side): BatchOperation[] =>
    texts[side].trim() === ''
      ? []
      : [{ op: 'store', content: texts[side], context, tags: [...tags, side], deduplicate: true }],
  )
  if (operations.length > 0)
    await recollect.memory.batch({ operations, atomic: true }, { timeoutMs: MEMORY_TIMEOUT_MS })
}

/** Both texts, cut so that they are stored together: the longer one loses more. */
function pairOf(question: string, answer: string): { question: string; answer: string } {
  const [asked, answered] = [question, answer].map((text) => Array.from(text).length) as [number, number]
  const half = MAX_PAIR_CHARACTERS / 2
  return {
    question: storable(question, Math.max(half, MAX_PAIR_CHARACTERS - answered)),
    answer: storable(answer, Math.max(half, MAX_PAIR_CHARACTERS - asked)),
  }
}
