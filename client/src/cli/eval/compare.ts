import { readFile } from 'node:fs/promises'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { readJson } from '../read-json.ts'
import type { Figures, RECALL_AT } from './metrics.ts'
import { MODES, type Mode } from './question.ts'
import type { Evaluation } from './run-eval.ts'

/** What an earlier evaluation printed as JSON, as far as a comparison reads it. */
export type Earlier = Pick<Evaluation, 'sha256' | 'rerank'> & { modes: Partial<Record<Mode, Partial<Figures>>> }

/** New minus old; null: one of them does not have the figure. */
export type Change = Record<
  `recall_at_${(typeof RECALL_AT)[number]}` | 'mrr' | 'false_positives' | 'p50_ms' | 'p95_ms',
  number | null
>

export interface Comparison {
  /** Both asked the same lines. */
  same_file: boolean
  same_rerank: boolean
  modes: Partial<Record<Mode, Change>>
}

/** Reads the JSON of an earlier evaluation. */
export async function readEarlier(path: string): Promise<Earlier> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new Failure(EXIT.usage, `${path} cannot be read.`, { cause: error })
  }
  const value = readJson(text)
  if (!isEarlier(value))
    throw new Failure(EXIT.usage, `${path} is not an evaluation.`, {
      hint: 'Write one with: recollect eval FILE --json > OLD.json',
    })
  return value
}

/** The differences in the modes that both have. */
export function compare(now: Evaluation, before: Earlier): Comparison {
  const modes: Comparison['modes'] = {}
  for (const mode of MODES) {
    const [fresh, old] = [now.modes[mode], before.modes[mode]]
    if (fresh && old) modes[mode] = changeOf(fresh, old)
  }
  return { same_file: now.sha256 === before.sha256, same_rerank: now.rerank === before.rerank, modes }
}

const changeOf = (now: Figures, before: Partial<Figures>): Change => ({
  recall_at_1: difference(now.recall_at_1, before.recall_at_1),
  recall_at_3: difference(now.recall_at_3, before.recall_at_3),
  recall_at_5: difference(now.recall_at_5, before.recall_at_5),
  recall_at_10: difference(now.recall_at_10, before.recall_at_10),
  mrr: difference(now.mrr, before.mrr),
  false_positives: difference(now.false_positives, before.false_positives),
  p50_ms: difference(now.p50_ms, before.p50_ms),
  p95_ms: difference(now.p95_ms, before.p95_ms),
})

const difference = (now: number | null, before: number | null | undefined): number | null =>
  now === null || typeof before !== 'number' ? null : now - before

function isEarlier(value: unknown): value is Earlier {
  if (value === null || typeof value !== 'object') return false
  const { sha256, modes } = value as Partial<Earlier>
  const hasModes = modes !== null && typeof modes === 'object' && MODES.some((mode) => isFigures(modes[mode]))
  return typeof sha256 === 'string' && hasModes
}

const isFigures = (figures: unknown): boolean =>
  figures !== null && typeof figures === 'object' && 'recall_at_10' in figures
