import { tool, type Tool } from '@openai/agents-core'
import { clientOf, contextOf, requirePlace, type Place } from '../conversations/place.ts'
import { recall } from '../conversations/recall.ts'
import { MAX_ITEM_CHARACTERS, storable } from '../storable.ts'

export interface MemoryToolsOptions extends Pick<Place, 'recollect' | 'user' | 'context'> {
  /** The most tokens that a recalled text takes (default: 1,000). */
  maxTokens?: number
}

/**
 * The tools `recall` and `remember`. The model decides when to call them, and cannot leave their user and context. An empty id is
 * a TypeError.
 */
export function memoryTools(options: MemoryToolsOptions = {}): Tool[] {
  requirePlace(options)
  return [
    tool({
      name: 'recall',
      description: 'Recalls what is known about the user and from earlier conversations.',
      parameters: oneText('question', 'What to look for, as a question or in keywords.'),
      execute: async (input) => {
        const { text } = await recall(textOf(input, 'question'), options)
        return text === '' ? 'Nothing is known about this.' : text
      },
    }),
    tool({
      name: 'remember',
      description: 'Remembers a fact for later conversations.',
      parameters: oneText('fact', 'One sentence that can be understood by itself.'),
      execute: async (input) => {
        const content = storable(textOf(input, 'fact'), MAX_ITEM_CHARACTERS)
        await clientOf(options).memory.store({ content, context: await contextOf(options) })
        return 'Remembered.'
      },
    }),
  ]
}

const oneText = <Name extends string>(name: Name, description: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string', description } },
  required: [name],
  additionalProperties: false as const,
})

/** The SDK checks no value against a JSON schema. Throws a TypeError, which the model gets as the result. */
function textOf(input: unknown, name: string): string {
  const text: unknown = Object(input)[name]
  if (typeof text !== 'string' || text === '') throw new TypeError(`${name} must be a text.`)
  return text
}
