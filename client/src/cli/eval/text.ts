import { count, counted } from '../output/progress.ts'
import type { Paint } from '../output/paint.ts'
import { table, type Column } from '../output/table.ts'
import type { Change, Comparison } from './compare.ts'
import type { Evaluation, Worst } from './run-eval.ts'

type Row = Change & { mode: string }
type Show = (value: number | null) => string

const share: Show = (value) => (value === null ? '–' : value.toFixed(3))
const whole: Show = (value) => (value === null ? '–' : String(value))
const signed =
  (show: Show): Show =>
  (value) =>
    value !== null && value > 0 ? `+${show(value)}` : show(value)

/** The columns of figures, or of differences between them. */
const columnsOf = (shown: (show: Show) => Show): Column<Row>[] => [
  { title: 'MODE', value: ({ mode }) => mode },
  { title: 'R@1', value: ({ recall_at_1 }) => shown(share)(recall_at_1), right: true },
  { title: 'R@3', value: ({ recall_at_3 }) => shown(share)(recall_at_3), right: true },
  { title: 'R@5', value: ({ recall_at_5 }) => shown(share)(recall_at_5), right: true },
  { title: 'R@10', value: ({ recall_at_10 }) => shown(share)(recall_at_10), right: true },
  { title: 'MRR', value: ({ mrr }) => shown(share)(mrr), right: true },
  { title: 'FALSE', value: ({ false_positives }) => shown(whole)(false_positives), right: true },
  { title: 'P50 MS', value: ({ p50_ms }) => shown(whole)(p50_ms), right: true },
  { title: 'P95 MS', value: ({ p95_ms }) => shown(whole)(p95_ms), right: true },
]
const FIGURES = columnsOf((show) => show)
const DIFFERENCES = columnsOf(signed)

/** A question, or a result below it that came instead. */
interface WorstRow {
  line: string
  rank: string
  id: string
  text: string
}

const WORST: Column<WorstRow>[] = [
  { title: 'LINE', value: ({ line }) => line },
  { title: 'RANK', value: ({ rank }) => rank, right: true },
  { title: 'ID', value: ({ id }) => id },
  { title: 'TEXT', value: ({ text }) => text, rest: true },
]

const rowsOf = (modes: Partial<Record<string, Change>>): Row[] =>
  Object.entries(modes).flatMap(([mode, figures]) => (figures ? [{ ...figures, mode }] : []))

function worstRows({ from, query, expected, rank, instead }: Worst): WorstRow[] {
  const [first = 'nothing', ...others] = expected
  const id = others.length === 0 ? first : `${first} and ${count(others.length)} more`
  return [
    { line: from, rank: whole(rank), id, text: query },
    ...instead.map((result) => ({
      line: '',
      rank: String(result.rank),
      id: result.custom_id ?? result.id,
      text: result.snippet,
    })),
  ]
}

/** An evaluation for a person: figures, what changed, and the worst questions of each mode. */
export function textOf(
  { modes }: Pick<Evaluation, 'modes'>,
  compared: Comparison | null,
  { width, paint }: { width: number; paint: Paint },
): string {
  const worst = Object.entries(modes).flatMap(([mode, { worst: questions }]) =>
    questions.length === 0
      ? []
      : [
          `\n${paint('bold', `Worst questions (${mode}), each with the rank of its answer and what came instead`)}`,
          table(questions.flatMap(worstRows), WORST, width, paint),
        ],
  )
  const [first] = Object.values(modes)
  const asked = first
    ? [`${counted(first.answerable, 'question')} with an answer, ${count(first.unanswerable)} without`]
    : []
  return [
    ...asked,
    table(rowsOf(modes), FIGURES, width, paint),
    ...(compared
      ? [
          `\n${paint('bold', 'Compared with the earlier evaluation')}`,
          table(rowsOf(compared.modes), DIFFERENCES, width, paint),
        ]
      : []),
    ...worst,
  ].join('\n')
}
