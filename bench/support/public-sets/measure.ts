import type { Client } from '../quality-client.ts'
import { DEPTHS, figuresByKind, type SetAnswer, type SetFigures } from './figures.ts'
import { sessionsOf, textsOf, type Granularity, type SetChat } from './set.ts'

const MODES = ['keyword', 'semantic', 'hybrid'] as const
/** Results asked for: a session can have several parts among them. */
const ASKED = 100

export interface SetResult {
  chats: number
  texts: number
  /** Questions that nothing in their chat answers. */
  unanswerable: number
  /** Questions whose answers the set does not name. They are not asked. */
  unlabelled: number
  modes: { mode: string; empty: number; figures: SetFigures[] }[]
}

type Asking = Pick<Client, 'store' | 'search'>

/** Stores each chat in a project of its own, and asks its questions there in each mode. */
export async function measureSet(
  client: Asking,
  chats: readonly SetChat[],
  { granularity, embedded }: { granularity: Granularity; embedded: () => Promise<void> },
): Promise<SetResult> {
  const answers = new Map<string, SetAnswer[]>(MODES.map((mode) => [mode, []]))
  const result = { chats: chats.length, texts: 0, unanswerable: 0, unlabelled: 0 }
  for (const chat of chats) {
    const texts = textsOf(chat, granularity)
    result.texts += texts.length
    const project = await client.store(chat.id, texts)
    await embedded()
    for (const { query, kind, turns, sessions, ...asked } of chat.questions) {
      const relevant = granularity === 'turn' ? turns : sessions
      if (relevant === null) {
        result.unlabelled += 1
        continue
      }
      if (relevant.length === 0) result.unanswerable += 1
      for (const [mode, all] of answers) {
        const found = (await client.search(project, { query, mode, limit: ASKED, ...asked })).map(({ id }) => id)
        all.push({ kind, relevant, found: granularity === 'turn' ? found : sessionsOf(found) })
      }
    }
  }
  const modes = Array.from(answers, ([mode, all]) => ({ mode, empty: emptyOf(all), figures: figuresByKind(all) }))
  return { ...result, modes }
}

/** Of the questions that nothing answers, those for which nothing was found. */
const emptyOf = (answers: readonly SetAnswer[]): number =>
  answers.filter(({ relevant, found }) => relevant.length === 0 && found.length === 0).length

/** The lines of a result: a row for each mode and kind of question. */
export function linesOf({ chats, texts, unanswerable, unlabelled, modes }: SetResult): string[] {
  const depths = DEPTHS.flatMap((depth) => [`any@${depth}`, `all@${depth}`, `R@${depth}`])
  const cells = (all: readonly string[]): string => all.map((cell) => cell.padStart(7)).join(' ')
  const head = `${'mode'.padEnd(9)} ${'kind'.padEnd(28)} ${cells(['asked', ...depths, 'MRR@20'])}`
  const rows = modes.flatMap(({ mode, figures }) =>
    figures.map(({ kind, questions, at, mrr }) => {
      const shares = [...at.flatMap(({ any, all, recall }) => [any, all, recall]), mrr]
      return `${mode.padEnd(9)} ${kind.padEnd(28)} ${cells([String(questions), ...shares.map((x) => x.toFixed(4))])}`
    }),
  )
  const empty = modes.map(({ mode, empty: none }) => `${mode} ${none}`).join(', ')
  return [
    `${chats} chats, ${texts} texts; ${unlabelled} questions without a label are left out`,
    head,
    ...rows,
    ...(unanswerable > 0 ? [`nothing found for ${unanswerable} questions without an answer: ${empty}`] : []),
  ]
}
