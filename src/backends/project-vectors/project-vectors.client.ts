import { isAppError, unavailable } from '../../core/errors.ts'
import type { ProjectVectors as Port } from '../../core/ports.ts'
import type { ProjectVectors } from './project-vectors.do.ts'

/** Calls the object of a project. An object that does not answer makes the request 503. */
export function projectVectorsClient(
  namespace: DurableObjectNamespace<ProjectVectors>,
  options?: DurableObjectNamespaceGetDurableObjectOptions,
): (projectId: string) => Port {
  return (projectId) => {
    const object = namespace.getByName(projectId, options)
    return {
      put: (model, entries) => orUnavailable(object.put(model, entries)),
      query: (query) => orUnavailable(object.query(query)),
      score: (query, items) => orUnavailable(object.score(query, items)),
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
