export const DEPTHS = [1, 3, 5, 10, 20] as const
/** Ranks that MRR counts. */
const MRR_DEPTH = 20

/** A question, the ids that answer it, and those that were found, best first. */
export interface SetAnswer {
  kind: string
  relevant: readonly string[]
  found: readonly string[]
}

export interface AtDepth {
  depth: number
  /** Share of the questions of which a relevant text is found, and of which all are. */
  any: number
  all: number
  /** Mean share of the relevant texts. */
  recall: number
}

export interface SetFigures {
  kind: string
  questions: number
  at: AtDepth[]
  mrr: number
}

/** The figures of each kind of question that has an answer, and of `all` of them first. */
export function figuresByKind(answers: readonly SetAnswer[]): SetFigures[] {
  const answerable = answers.filter(({ relevant }) => relevant.length > 0)
  const kinds = Array.from(Map.groupBy(answerable, ({ kind }) => kind)).sort(([a], [b]) => a.localeCompare(b, 'en'))
  return answerable.length === 0
    ? []
    : [figuresOf('all', answerable), ...kinds.map(([kind, own]) => figuresOf(kind, own))]
}

function figuresOf(kind: string, answers: readonly SetAnswer[]): SetFigures {
  const mean = (measure: (answer: SetAnswer) => number): number =>
    answers.reduce((sum, answer) => sum + measure(answer), 0) / answers.length
  return {
    kind,
    questions: answers.length,
    at: DEPTHS.map((depth) => ({
      depth,
      any: mean((answer) => Number(share(answer, depth) > 0)),
      all: mean((answer) => Number(share(answer, depth) === 1)),
      recall: mean((answer) => share(answer, depth)),
    })),
    mrr: mean(reciprocal),
  }
}

function share({ relevant, found }: SetAnswer, depth: number): number {
  const first = new Set(found.slice(0, depth))
  return relevant.filter((id) => first.has(id)).length / relevant.length
}

function reciprocal({ relevant, found }: SetAnswer): number {
  const at = found.slice(0, MRR_DEPTH).findIndex((id) => relevant.includes(id))
  return at < 0 ? 0 : 1 / (at + 1)
}
