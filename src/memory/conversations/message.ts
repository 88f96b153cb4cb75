import { z } from '@hono/zod-openapi'
import { OccurredAt } from '../occurrence.ts'
import { MessageId, Speaker, TurnRoleField } from './turn.ts'

/** Messages of one call (contract §3). */
export const MAX_INGESTED_MESSAGES = 100
const MAX_CONTENT_PARTS = 256
const MAX_TYPE_CHARACTERS = 64

/** How the formats in use call a part that is text. */
const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text'])

const Part = z.looseObject({ type: z.string().min(1).max(MAX_TYPE_CHARACTERS) }).openapi('MessagePart', {
  description: 'A part with a `text` of type `text`, `input_text` or `output_text`, or any other, which is left out.',
})
type Part = z.output<typeof Part>

export const Message = z
  .strictObject({
    id: MessageId.nullish().meta({ description: 'Identifies the message: the same id is the same message.' }),
    role: TurnRoleField,
    name: Speaker.nullish().meta({ description: 'Who says it.' }),
    content: z.union([z.string(), z.array(Part).max(MAX_CONTENT_PARTS)]),
    timestamp: OccurredAt.nullish().meta({
      description: 'When it was said. Without it, behind what the conversation has.',
    }),
  })
  .openapi('ConversationMessage')
export type Message = z.output<typeof Message>

export const LEFT_OUT = ['no_text', 'other_type'] as const
export interface LeftOut {
  part: number
  type: string
  reason: (typeof LEFT_OUT)[number]
}

/** The text of a message, and the parts that bring none. */
export function textOfMessage({ content }: Pick<Message, 'content'>): { text: string; leftOut: LeftOut[] } {
  if (typeof content === 'string') return { text: isBlank(content) ? '' : content, leftOut: [] }
  const leftOut: LeftOut[] = []
  const texts: string[] = []
  for (const [part, one] of content.entries()) {
    const text = textOfPart(one)
    if (text !== null) texts.push(text)
    else leftOut.push({ part, type: one.type, reason: TEXT_TYPES.has(one.type) ? 'no_text' : 'other_type' })
  }
  return { text: texts.join('\n'), leftOut }
}

const textOfPart = ({ type, text }: Part & { text?: unknown }): string | null =>
  TEXT_TYPES.has(type) && typeof text === 'string' && !isBlank(text) ? text : null

const isBlank = (text: string): boolean => text.trim() === ''
