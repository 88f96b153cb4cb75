import { withinTokens } from '../../core/values/token-budget.ts'

interface WithText {
  content: { text: string }
  neighbors?: readonly { text: string }[] | undefined
}

/** The results within a budget of tokens, which their texts and those around them fill. Without one, all of them. */
export const withinBudget = <Result extends WithText>(results: readonly Result[], maxTokens = Infinity): Result[] =>
  withinTokens(results, maxTokens, ({ content, neighbors = [] }) => [content, ...neighbors].map(({ text }) => text))
