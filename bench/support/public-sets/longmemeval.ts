import { z } from 'zod'
import type { SetChat, SetTurn } from './set.ts'
import { later, longMemEvalTime } from './times.ts'

/** `longmemeval_s.json` and `_oracle`, with cleaned ones (`_m` is too large to be read at once): MIT, github.com/xiaowu0162/LongMemEval. */
const File = z.array(
  z.object({
    question_id: z.string(),
    question_type: z.string(),
    question: z.string(),
    question_date: z.string(),
    haystack_session_ids: z.array(z.string()),
    haystack_dates: z.array(z.string()),
    haystack_sessions: z.array(
      z.array(z.object({ role: z.string(), content: z.string(), has_answer: z.boolean().optional() })),
    ),
    answer_session_ids: z.array(z.string()),
  }),
)

/** Each question has a haystack of its own. */
export const readLongMemEval = (json: unknown): SetChat[] => File.parse(json).map(chatOf)

function chatOf(instance: z.infer<typeof File>[number]): SetChat {
  const {
    question_id,
    question_type,
    question,
    question_date,
    haystack_sessions,
    haystack_session_ids,
    haystack_dates,
  } = instance
  const turns: SetTurn[] = []
  const labelled: string[] = []
  const sessions: string[] = []
  for (const [at, session] of haystack_sessions.entries()) {
    const name = haystack_session_ids[at]
    const date = haystack_dates[at]
    if (name === undefined || date === undefined) throw new Error(`${question_id}: a session has no id or no date`)
    // A haystack can hold a session twice.
    const key = `${at}:${name}`
    if (instance.answer_session_ids.includes(name)) sessions.push(key)
    for (const [n, { role, content, has_answer }] of session.entries()) {
      const id = `${key}:${n}`
      if (has_answer) labelled.push(id)
      const occurred_at = later(longMemEvalTime(date), n)
      turns.push({ id, session: key, text: `${role}: ${content}`, occurred_at })
    }
  }
  const isAbstention = question_id.endsWith('_abs')
  const labels = (ids: string[]): string[] | null => (isAbstention ? [] : ids.length > 0 ? ids : null)
  return {
    id: question_id,
    turns,
    questions: [
      {
        query: question,
        kind: isAbstention ? 'abstention' : question_type,
        reference_date: longMemEvalTime(question_date),
        turns: labels(labelled),
        sessions: labels(sessions),
      },
    ],
  }
}
