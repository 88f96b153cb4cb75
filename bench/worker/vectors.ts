import { embeddedEmbedder } from '../../src/backends/embedder.embedded.ts'
import { projectVectorsClient } from '../../src/backends/project-vectors/project-vectors.client.ts'
import type { ProjectVectors } from '../../src/backends/project-vectors/project-vectors.do.ts'
import type { Embedding, ProjectVectors as Port, VectorEntry } from '../../src/core/vectors.ts'

import type { VectorsTask } from '../support/vectors-task.ts'

export { ProjectVectors } from '../../src/backends/project-vectors/project-vectors.do.ts'

const MODEL = embeddedEmbedder.model
const itemId = (number: number): string => `mem_${String(number).padStart(26, '0')}`

/** Runs one task in the object and answers how many hits or parts it had. */
export default {
  async fetch(request: Request, env: { OBJECTS: DurableObjectNamespace<ProjectVectors> }): Promise<Response> {
    const task = await request.json<VectorsTask>()
    return Response.json(await run(projectVectorsClient(env.OBJECTS, 0)(task.object, '00'), task))
  },
}

async function run(
  object: Port,
  { work, texts, first = 0, cosines, limit = 100, items = [] }: VectorsTask,
): Promise<number> {
  if (work === 'remove') {
    await object.remove(texts.map((_, nth) => ({ item: itemId(first + nth) })))
    return texts.length
  }
  const embeddings = await embeddedEmbedder.embed(texts)
  const known = embeddings.filter((embedding): embedding is Embedding => embedding !== null)
  if (work === 'embed') return known.length
  if (work === 'put') {
    await object.put(
      MODEL,
      known.map((embedding, nth) => toEntry(embedding, first + nth)),
    )
    return known.length
  }
  let hits = 0
  for (const { values: vector, pieces } of known) {
    const query = { model: MODEL, vector, pieces: cosines ? null : pieces, limit, namespaces: null }
    const found = await (work === 'score'
      ? object.score(query, items)
      : object.query({ ...query, exactMax: Number.MAX_SAFE_INTEGER, freshFrom: 0 }).then((reply) => reply.hits))
    hits += found.length
  }
  return hits
}

const toEntry = (embedding: Embedding, number: number): VectorEntry => ({
  item: itemId(number),
  row: number + 1,
  version: 1,
  chunk: 0,
  offsets: { start: 0, end: 300 },
  namespace: 'default',
  ...embedding,
})
