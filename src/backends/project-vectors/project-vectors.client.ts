import { isAppError, unavailable } from '../../core/errors.ts'
import type { ProjectVectors as Port } from '../../core/vectors.ts'
import { hitsOf, type AnsweredHits } from './packed-hits.ts'
import type { ProjectVectors } from './project-vectors.do.ts'

/**
 * Calls the object of a project. An object that does not answer makes the request 503. `placedIn`: where the objects of a
 * shard are made.
 */
export function projectVectorsClient(
  namespace: DurableObjectNamespace<ProjectVectors>,
  placedIn: (shard: string) => DurableObjectNamespaceGetDurableObjectOptions | undefined = () => undefined,
): (projectId: string, shard: string) => Port {
  return (projectId, shard) => {
    const object = namespace.getByName(projectId, placedIn(shard))
    return {
      put: (model, entries) => orUnavailable(object.put(model, entries)),
      query: async (query) => {
        const { hits, complete } = await orUnavailable(object.query({ ...query, packed: true }))
        return { hits: hitsOf(hits), complete }
      },
      score: async (query, items) =>
        hitsOf(await orUnavailable<AnsweredHits>(object.score({ ...query, packed: true }, items))),
      remove: (items) => orUnavailable(object.remove(items)),
      names: (items) => orUnavailable(object.names(items)),
      items: (limit) => orUnavailable(object.items(limit)),
    }
  }
}

async function orUnavailable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw isAppError(error) ? error : unavailable('The vectors of this project', error)
  }
}
