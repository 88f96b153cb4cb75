import { isAppError, unavailable } from '../../core/errors.ts'
import type { ClientDocuments, DocumentReply } from '../../core/ports.ts'
import { sha256 } from '../../core/values/hash.ts'
import type { ClientDocument } from './client-document.do.ts'

/** Calls the object of an address, so that all isolates share one fetch of it. */
export function clientDocuments(
  namespace: DurableObjectNamespace<ClientDocument>,
  options?: DurableObjectNamespaceGetDurableObjectOptions,
): ClientDocuments {
  const objectOf = async (url: string) => namespace.getByName(await sha256(url), options)
  return {
    kept: (url) => orUnavailable(async () => (await objectOf(url)).kept() as Promise<DocumentReply | null>),
    fetch: (url, allowPrivate) =>
      orUnavailable(async () => (await objectOf(url)).fetchDocument(url, allowPrivate) as Promise<DocumentReply>),
  }
}

async function orUnavailable<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw isAppError(error) ? error : unavailable('The metadata document of this application', error)
  }
}
