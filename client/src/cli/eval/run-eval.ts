import { createHash } from 'node:crypto'
import { openSource } from '../convert/source.ts'
import type { SearchResults } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { Io } from '../io.ts'
import { count, startProgress } from '../output/progress.ts'
import type { Service } from '../service.ts'
import { resolveExpected, type Resolved } from './expected.ts'
import { DEPTH, figuresOf, worstOf, type Figures, type Ranked } from './metrics.ts'
import { isOfLine, patiently } from './patience.ts'
import { readQuestion, type LineError, type Mode, type Question } from './question.ts'

export const MAX_QUESTIONS = 10_000
const WORST = 10
/** Results that are shown instead of the expected ones. */
const INSTEAD = 3

export interface EvalRequest {
  file: string
  modes: readonly Mode[]
  rerank: boolean
  /** Of lines without their own. */
  context: Question['context']
}

export interface Evaluation {
  /** Tells whether two evaluations asked the same. */
  sha256: string
  lines: number
  rerank: boolean
  /** Items that semantic search did not find yet, at most at one question. */
  pending: number
  errors: LineError[]
  modes: Partial<Record<Mode, ModeResult>>
}

export interface ModeResult extends Figures {
  worst: Worst[]
}

/** A question that was not answered in full. */
export interface Worst {
  from: string
  query: string
  expected: string[]
  /** Rank of the first expected item; null: it is not among the results. */
  rank: number | null
  /** The best results that are not expected. */
  instead: { id: string; custom_id: string | null; rank: number; score: number; snippet: string }[]
}

interface Answer {
  ranked: Ranked
  shown: Worst
}

/** Asks the questions of a file one after another, each in all modes, and measures the answers. */
export async function runEval(io: Io, service: Pick<Service, 'call'>, request: EvalRequest): Promise<Evaluation> {
  const { questions, errors, sha256, lines } = await readQuestions(io, request)
  const { resolved, errors: unresolved } = await resolveExpected(io, service, questions)
  errors.push(...unresolved)
  const answers = new Map<Mode, Answer[]>(request.modes.map((mode) => [mode, []]))
  const progress = startProgress(io, { total: resolved.length })
  let pending = 0
  try {
    for (const [done, one] of resolved.entries()) {
      progress.show(done)
      try {
        const asked = await askAll(io, service, one, request)
        for (const { mode, answer } of asked) answers.get(mode)?.push(answer)
        pending = Math.max(pending, ...asked.map((each) => each.pending))
      } catch (error) {
        if (!isOfLine(error)) throw error
        errors.push({ from: one.question.from, message: error.message })
      }
    }
  } finally {
    progress.end()
  }
  errors.sort((a, b) => a.from.localeCompare(b.from, 'en', { numeric: true }))
  const modes = Object.fromEntries(Array.from(answers, ([mode, all]) => [mode, resultOf(all)]))
  return { sha256, lines, rerank: request.rerank, pending, errors, modes }
}

async function readQuestions(io: Io, { file, context }: EvalRequest) {
  const source = await openSource(io, file, { format: 'jsonl', numbersAsText: false }, io.now())
  const hash = createHash('sha256')
  const questions: Question[] = []
  const errors: LineError[] = []
  let lines = 0
  for await (const record of source.records()) {
    lines += 1
    if (lines > MAX_QUESTIONS) throw new Failure(EXIT.usage, `${file} has more than ${count(MAX_QUESTIONS)} lines.`)
    if ('reason' in record) {
      errors.push({ from: record.from, message: record.reason })
      continue
    }
    hash.update(record.line).update('\n')
    const read = readQuestion(record.from, record.line, context)
    if ('message' in read) errors.push(read)
    else questions.push(read)
  }
  if (lines === 0) throw new Failure(EXIT.invalid, `${file} has no questions.`)
  return { questions, errors, lines, sha256: hash.digest('hex') }
}

/** The answers of all modes, or the failure of one: a line counts in each mode or in none. */
async function askAll(io: Io, service: Pick<Service, 'call'>, one: Resolved, { modes, rerank }: EvalRequest) {
  const { query, context, filters, reference_date } = one.question
  const all: { mode: Mode; answer: Answer; pending: number }[] = []
  for (const mode of modes) {
    const body = {
      query,
      mode,
      limit: DEPTH,
      ...(Object.keys(context).length > 0 ? { context } : {}),
      ...(filters === undefined ? {} : { filters }),
      ...(reference_date === undefined ? {} : { reference_date }),
      ...(rerank ? { rerank: true } : {}),
    }
    const { value, ms } = await patiently(io, () =>
      service.call((client, call) => client.memory.search(body, { ...call, maxRetries: 0 })),
    )
    all.push({ mode, answer: answerOf(one, value, ms), pending: value.pending })
  }
  return all
}

function answerOf({ question, ids }: Resolved, { results, degraded, rerank }: SearchResults, ms: number): Answer {
  const { from, query, expected } = question
  const all = results.map(({ id, custom_id, score, snippet }, at) => ({ id, custom_id, rank: at + 1, score, snippet }))
  const ranks = all.filter(({ id }) => ids.has(id)).map(({ rank }) => rank)
  const instead = all.filter(({ id }) => !ids.has(id)).slice(0, INSTEAD)
  return {
    ranked: {
      expected: ids.size,
      ranks,
      results: results.length,
      ms,
      degraded: degraded !== undefined,
      notReranked: rerank?.applied === false,
    },
    shown: { from, query, expected, rank: ranks[0] ?? null, instead },
  }
}

const resultOf = (answers: readonly Answer[]): ModeResult => ({
  ...figuresOf(answers.map(({ ranked }) => ranked)),
  worst: worstOf(answers, WORST).map(({ shown }) => shown),
})
