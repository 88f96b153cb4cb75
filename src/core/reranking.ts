import { UnusableAnswer } from './embedding.ts'

/** The score of one text, named by its place in the call. */
export interface RerankedText {
  index: number
  score: number
}

/** The scores in the order of the texts. Throws `UnusableAnswer` unless each of `count` texts has exactly one, and it is finite. */
export function scoresInOrder(reranked: readonly RerankedText[], count: number): number[] {
  if (reranked.length !== count)
    throw new UnusableAnswer(`the reranker returned ${reranked.length} scores for ${count} texts`)
  const scores = new Map(reranked.map(({ index, score }) => [index, score]))
  return Array.from({ length: count }, (_, index) => {
    const score = scores.get(index)
    if (score === undefined) throw new UnusableAnswer(`the reranker returned no score for text ${index}`)
    if (!Number.isFinite(score)) throw new UnusableAnswer('a score of the reranker is not finite')
    return score
  })
}

/** The reranker gave no answer within its deadline. */
export class RerankLate extends Error {}

/** Too many other calls of the same user or tenant keep the reranker busy. */
export class RerankBusy extends Error {}
