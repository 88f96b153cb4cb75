import type { RerankingModel } from '../../src/core/models.ts'

/** A reranker that scores texts by the number in them, or fails as told. It keeps what it was asked. */
export function rerankerOf(answer: 'numbers' | 'never' | Error | number[] = 'numbers') {
  const asked: { query: string; texts: readonly string[] }[] = []
  let called = Promise.withResolvers<void>()
  const rerankingModel: RerankingModel = {
    model: 'test',
    rerank: async (query, texts) => {
      asked.push({ query, texts })
      called.resolve()
      called = Promise.withResolvers()
      if (answer === 'never') return new Promise(() => {})
      if (answer instanceof Error) throw answer
      return answer === 'numbers' ? texts.map((text) => Number(/\d+/.exec(text)?.[0] ?? -1)) : answer
    },
  }
  return { rerankingModel, asked, nextCall: () => called.promise }
}
