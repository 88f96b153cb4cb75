import type { LanguageModelMiddleware } from 'ai'
import type { Message } from '../conversations/message.ts'
import { storable } from '../storable.ts'

type Params = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']
export type Prompt = Params['prompt']

/** Of a message; the service keeps a long one in parts. */
export const MAX_SENT_CHARACTERS = 262_144

/** What user and model say in a prompt. What is said without a text, such as a call of a tool, is left out. */
export const messagesOf = (prompt: Prompt): Message[] =>
  prompt.flatMap((message): Message[] => {
    if (message.role !== 'user' && message.role !== 'assistant') return []
    const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    return text.trim() === '' ? [] : [{ role: message.role, content: storable(text, MAX_SENT_CHARACTERS) }]
  })

/** The prompt with a text behind its first system message, as some models take only one. */
export function withSystem(prompt: Prompt, text: string): Prompt {
  const [first, ...rest] = prompt
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${text}` }, ...rest]
    : [{ role: 'system', content: text }, ...prompt]
}
