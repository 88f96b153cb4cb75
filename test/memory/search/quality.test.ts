/** @module-tag long */
import { describe, expect, test } from 'vitest'
import facts from '../../../bench/data/no-shared-word/passages.jsonl?raw'
import factQuestions from '../../../bench/data/no-shared-word/questions.jsonl?raw'
import texts from '../../../bench/data/languages/passages.jsonl?raw'
import textQuestions from '../../../bench/data/languages/questions.jsonl?raw'
import type { AuthContext } from '../../../src/core/context.ts'
import { wordsOf } from '../../../src/memory/keyword/cut.ts'
import { queryWords } from '../../../src/memory/keyword/query-terms.ts'
import { ctxOf, embedded, find, idsOf } from '../../support/search.ts'
import { newTenant } from '../../support/world.ts'

interface Passage {
  id: string
  corpus: string
  text: string
}
interface Question {
  corpus: string
  query: string
  relevant: string[]
}

const read = <T>(lines: string): T[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

/** A project that holds the passages. `rank` is that of the right answer, from 1; Infinity where it is not found. */
async function projectOf(passages: readonly Passage[]) {
  const ctx = ctxOf(await newTenant())
  const ids = await embedded(
    ctx,
    passages.map(({ text }) => text),
  )
  const idOf = new Map(passages.map(({ id }, at) => [id, ids[at]]))
  const rank = async ({ query, relevant }: Question, mode: string): Promise<number> => {
    const at = idsOf(await find(ctx, query, { mode })).indexOf(idOf.get(relevant[0] ?? '') ?? '')
    return at < 0 ? Infinity : at + 1
  }
  return { ctx, rank }
}

const HOUSEHOLD = read<Passage>(facts)
const household = await projectOf(HOUSEHOLD)

describe('with the embedded model', () => {
  const questions = read<Question>(factQuestions)

  test('no question of the 70 shares a word with its fact, so none is found by keyword', async () => {
    const textOf = new Map(HOUSEHOLD.map(({ id, text }) => [id, text]))
    for (const question of questions) {
      const words = new Set(wordsOf(textOf.get(question.relevant[0] ?? '') ?? ''))
      expect(queryWords(question.query).present.filter((term) => words.has(term))).toEqual([])
      expect(await household.rank(question, 'keyword')).toBe(Infinity)
    }
  })

  test.each(['semantic', 'hybrid'])(
    '%s search has the right fact among the first three for four questions of five',
    async (mode) => {
      const ranks = await Promise.all(questions.map((question) => household.rank(question, mode)))
      expect(questions.length).toBeGreaterThanOrEqual(60)
      expect(ranks.filter((rank) => rank <= 3).length).toBeGreaterThanOrEqual(0.8 * questions.length)
      expect(meanReciprocal(ranks)).toBeGreaterThanOrEqual(0.73)
    },
  )

  test.each([
    ['zzzz', ['hybrid', 'semantic']],
    ['quantum chromodynamics lattice', ['hybrid', 'semantic']],
    // A cosine of letters alone may be above the floor, but their pieces are not like those of the text.
    ['xqjv wrrk', ['hybrid', 'semantic']],
    ['blorptangle frimsy', ['hybrid', 'semantic']],
  ])('nonsense over thirty household facts finds nothing: %s', async (query, modes) => {
    const { ctx } = await projectOf(HOUSEHOLD.slice(20, 50))
    for (const mode of modes) expect(await find(ctx, query, { mode })).toMatchObject({ results: [], total: 0 })
  })
})

const meanReciprocal = (ranks: readonly number[]): number =>
  ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length

const weightOf = async (ctx: AuthContext, query: string): Promise<number> => {
  const { results } = await find(ctx, query, { include: ['score_breakdown'] })
  return results[0]?.score_breakdown?.weights.semantic ?? 0
}

describe('hybrid search is never worse than keyword search where the embedded model knows few words', () => {
  const questions = Map.groupBy(read<Question>(textQuestions), (question) => question.corpus)

  test.each([...Map.groupBy(read<Passage>(texts), (passage) => passage.corpus)])('%s', async (corpus, passages) => {
    const { ctx, rank } = await projectOf(passages)
    const own = questions.get(corpus) ?? []
    const ranks = async (mode: string) => Promise.all(own.map((question) => rank(question, mode)))
    expect(meanReciprocal(await ranks('hybrid'))).toBeGreaterThanOrEqual(meanReciprocal(await ranks('keyword')))
    const weights = await Promise.all(own.map(({ query }) => weightOf(ctx, query)))
    expect(Math.min(...weights)).toBeLessThan(ctx.embedder.semanticWeight)
  })
})
