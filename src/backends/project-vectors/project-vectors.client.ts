import { isAppError, unavailable } from '../../core/errors.ts'
import type { ProjectVectors as Port } from '../../core/ports.ts'
import type { ProjectVectors } from './project-vectors.do.ts'

/** Reaches the object of a project; one that cannot be reached is 503 to whoever needs it. */
export function projectVectorsClient(
  namespace: DurableObjectNamespace<ProjectVectors>,
  options?: DurableObjectNamespaceGetDurableObjectOptions,
): (projectId: string) => Port {
  return (projectId) => {
    const object = namespace.getByName(projectId, options)
    return {
      put: (model, entries) => reach(object.put(model, entries)),
      query: (query) => reach(object.query(query)),
      score: (query, items) => reach(object.score(query, items)),
      remove: (items) => reach(object.remove(items)),
      names: (items) => reach(object.names(items)),
      items: (limit) => reach(object.items(limit)),
    }
  }
}

async function reach<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw isAppError(error) ? error : unavailable('The vectors of this project', error)
  }
}
