export const MODEL = 'bge-reranker-v2-m3'
export const KEY = 'sk-test'
export const settings = { url: 'http://models.test/v1/rerank', model: MODEL, key: KEY }

/** A cross-encoder that counts common words; it may be any real number. */
export const scoreOf = (query: string, text: string): number =>
  query.split(' ').filter((word) => text.includes(word)).length * 2 - 3

/** The best `top` of the texts, best first, as the services answer them. */
export const ranked = (query: string, texts: readonly string[], top: number) =>
  texts
    .map((text, index) => ({ index, score: scoreOf(query, text) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, top)

/** A server of `/rerank` as documented. It refuses everything else. */
export const service: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const refuse = (status: number) => Response.json({ message: 'refused' }, { status })
  if (request.method !== 'POST' || new URL(request.url).pathname !== '/v1/rerank') return refuse(404)
  if (request.headers.get('authorization') !== `Bearer ${KEY}`) return refuse(401)
  if (request.headers.get('content-type') !== 'application/json') return refuse(415)
  const { model, query, documents, top_n, ...others } = await request.json<{
    model: string
    query: string
    documents: string[]
    top_n: number
  }>()
  if (Object.keys(others).length > 0 || documents.some((text) => typeof text !== 'string')) return refuse(422)
  if (model !== MODEL) return refuse(404)
  if (query === 'overloaded') return refuse(529)
  const results = ranked(query, documents, top_n).map(({ index, score }) => ({ index, relevance_score: score }))
  return Response.json({ id: 'x', model: MODEL, results, usage: { total_tokens: 7 } })
}
