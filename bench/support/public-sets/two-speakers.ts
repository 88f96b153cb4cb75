import { z } from 'zod'
import { questionOf, type SetChat, type SetTurn } from './set.ts'
import { later, locomoTime, realTalkTime } from './times.ts'

/** LoCoMo, and REALTALK, which has its form: sessions `session_1`, … of turns with an id, and questions with evidence. */

const Turn = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string().optional(),
  clean_text: z.string().optional(),
  date_time: z.string().optional(),
  blip_caption: z.string().optional(),
})
const Question = z.object({
  question: z.string(),
  evidence: z.array(z.string()).default([]),
  category: z.coerce.number(),
})
const Sessions = z.record(z.string(), z.unknown())

/** `locomo10.json`: CC BY-NC 4.0, github.com/snap-research/locomo. */
const Locomo = z.array(z.object({ sample_id: z.string(), conversation: Sessions, qa: z.array(Question) }))
/** `Chat_*.json`: github.com/danny911kr/REALTALK. */
const RealTalk = z.looseObject({ qa: z.array(Question) })

const LOCOMO_KINDS: Record<number, string> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial',
}
const REALTALK_KINDS: Record<number, string> = { 1: 'multi-hop', 2: 'temporal', 3: 'commonsense' }

export const readLocomo = (json: unknown): SetChat[] =>
  Locomo.parse(json).map(({ sample_id, conversation, qa }) =>
    chatOf(sample_id, turnsOf(conversation, locomoTime), qa, LOCOMO_KINDS),
  )

/** `name` is that of the file, without its ending. */
export function readRealTalk(name: string, json: unknown): SetChat {
  const chat = RealTalk.parse(json)
  return chatOf(name, turnsOf(chat, realTalkTime), chat.qa, REALTALK_KINDS)
}

/** The turns in the order of their sessions. A turn without a time has that of its session. */
function turnsOf(sessions: Record<string, unknown>, timeOf: (text: string) => string): SetTurn[] {
  const names = Object.keys(sessions).filter((name) => /^session_\d+$/.test(name))
  if (names.length === 0) throw new Error('the chat has no sessions')
  names.sort((a, b) => Number(a.slice('session_'.length)) - Number(b.slice('session_'.length)))
  return names.flatMap((session) => {
    const date = z.string().optional().parse(sessions[`${session}_date_time`])
    const began = date === undefined ? null : timeOf(date)
    return z
      .array(Turn)
      .parse(sessions[session])
      .map(({ speaker, dia_id, text, clean_text, date_time, blip_caption }, at) => ({
        id: dia_id,
        session,
        text: `${speaker}: ${clean_text ?? text ?? ''}${blip_caption === undefined ? '' : ` [image: ${blip_caption}]`}`,
        occurred_at: date_time === undefined ? later(began, at) : timeOf(date_time),
      }))
  })
}

function chatOf(
  id: string,
  turns: SetTurn[],
  questions: readonly z.infer<typeof Question>[],
  kinds: Record<number, string>,
): SetChat {
  return {
    id,
    turns,
    questions: questions.map(({ question: query, evidence, category }) => {
      const kind = kinds[category] ?? `category ${category}`
      const named = evidence.flatMap(turnsIn)
      // An adversarial question asks for what nobody said.
      const ids = kind === 'adversarial' ? [] : named.length > 0 ? named : null
      return questionOf(turns, { query, kind, ids })
    }),
  }
}

/** The published evidence also has `D8:6; D9:17`, `D:11:26` and `D30:05`. */
const turnsIn = (evidence: string): string[] =>
  Array.from(evidence.matchAll(/D:?(\d+):0*(\d+)/g), ([, session, turn]) => `D${session}:${turn}`)
