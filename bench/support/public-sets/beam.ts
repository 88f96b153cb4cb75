import { z } from 'zod'
import { questionOf, type SetChat, type SetTurn } from './set.ts'
import { beamTime, later } from './times.ts'

/** `chat.json` and `probing_questions.json` of a folder below `chats/100K` and so on: github.com/mohammadtavakoli78/BEAM. */
const Message = z.object({
  role: z.string(),
  id: z.number(),
  content: z.string(),
  time_anchor: z.string().nullish(),
})
const Questions = z.record(
  z.string(),
  z.array(z.looseObject({ question: z.string(), source_chat_ids: z.unknown().optional() })),
)

/** What the generator of the set left at the end of a message. */
const MARK = /\s*->->\s*[\d,\sN/A]*$/

export function readBeam(name: string, chat: unknown, probing: unknown): SetChat {
  const turns = turnsOf(chat)
  const questions = Object.entries(Questions.parse(probing)).flatMap(([kind, all]) =>
    all.map(({ question: query, source_chat_ids }) => {
      const named = numbersIn(source_chat_ids).map(String)
      return questionOf(turns, { query, kind, ids: kind === 'abstention' ? [] : named.length > 0 ? named : null })
    }),
  )
  return { id: name, turns, questions }
}

/**
 * The turns of each part of the chat that has a date are a session. The largest chats use numbers of messages repeatedly:
 * such a message has its place in its id, so that no label names it.
 */
function turnsOf(chat: unknown): SetTurn[] {
  const messages = messagesIn(chat)
  if (messages.length === 0) throw new Error('the chat has no messages')
  const byId = Map.groupBy(messages, ({ id }) => id)
  let began: string | null = null
  let session = 0
  let since = 0
  return messages.map(({ role, id, content, time_anchor }, at) => {
    const date = time_anchor ? beamTime(time_anchor) : began
    if (date !== began) {
      began = date
      session += 1
      since = 0
    }
    since += 1
    const text = `${role}: ${content.replace(MARK, '')}`
    const isUnique = byId.get(id)?.length === 1
    return {
      id: isUnique ? String(id) : `${id}@${at}`,
      session: `session_${session}`,
      text,
      occurred_at: later(began, since),
    }
  })
}

/** The messages of lists and objects at any depth, in their order. */
function messagesIn(value: unknown): z.infer<typeof Message>[] {
  const message = Message.safeParse(value)
  if (message.success) return [message.data]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(messagesIn) : []
}

/** The ids stand in a list, or in lists by what their messages say. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(numbersIn) : []
}
