import type { Found } from './quality-client.ts'
import { expectedReciprocal, expectedRight, tieGroups } from './tie-aware.ts'

/** Ranks that MRR counts. */
const DEPTH = 20
const RECALL_AT = [1, 3, 5, 10]

/** Sums over questions. */
export interface Quality {
  questions: number
  recall: number[]
  reciprocal: number
}

export interface Question {
  corpus: string
  query: string
  relevant: string[]
}

export interface Answer {
  question: Question
  relevant: string[]
  found: Found[]
}

const none = (questions: number): Quality => ({ questions, recall: RECALL_AT.map(() => 0), reciprocal: 0 })

/** The sums in the order of the service. Passages with the same text are told apart by id, or count as the first of them. */
export function asOrdered(answers: readonly Answer[], twinOf?: ReadonlyMap<string, string>): Quality {
  const sums = none(answers.length)
  const folded = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => twinOf?.get(id) ?? id))]
  for (const answer of answers) {
    const relevant = folded(answer.relevant)
    const found = folded(answer.found.map(({ id }) => id))
    RECALL_AT.forEach((depth, at) => {
      const hits = relevant.filter((id) => found.slice(0, depth).includes(id)).length
      sums.recall[at] = (sums.recall[at] ?? 0) + hits / relevant.length
    })
    const first = found.findIndex((id) => relevant.includes(id))
    sums.reciprocal += first < 0 || first >= DEPTH ? 0 : 1 / (first + 1)
  }
  return sums
}

/** The sums of the expected measures of each answer over all orders of results with equal scores. */
export function expected(answers: readonly Answer[]): Quality {
  const sums = none(answers.length)
  for (const { relevant, found } of answers) {
    const groups = tieGroups(found, (id) => relevant.includes(id))
    RECALL_AT.forEach((depth, at) => {
      sums.recall[at] = (sums.recall[at] ?? 0) + expectedRight(groups, depth) / relevant.length
    })
    sums.reciprocal += expectedReciprocal(groups, DEPTH)
  }
  return sums
}

/** The first passage with the text of each passage in its corpus; nothing where no text stands twice. */
export function twins(
  passages: readonly { id: string; corpus: string; text: string }[],
): Map<string, string> | undefined {
  const firstOf = new Map<string, string>()
  const twinOf = new Map<string, string>()
  for (const { id, corpus, text } of passages) {
    const key = `${corpus} ${text}`
    const first = firstOf.get(key) ?? id
    firstOf.set(key, first)
    twinOf.set(id, first)
  }
  return firstOf.size < passages.length ? twinOf : undefined
}

/** `unworded`: of the questions that share no word with what answers them. */
export function line(
  name: string,
  mode: string,
  { questions, recall, reciprocal }: Quality,
  unworded?: Quality,
): string {
  const means = [...recall, reciprocal].map((sum) => sum / questions)
  if (unworded && unworded.questions > 0) means.push(unworded.reciprocal / unworded.questions)
  return means.reduce(
    (cells, mean) => `${cells} ${mean.toFixed(4).padStart(9)}`,
    `${name.padEnd(20)} ${mode.padEnd(9)}`,
  )
}
