import { isAppError, unavailable } from '../../core/errors.ts'
import { systemClock } from '../../core/values/clock.ts'
import type { ProjectVectors as Port, VectorsOf } from '../../core/vectors.ts'
import { hitsOf, type AnsweredHits } from './packed-hits.ts'
import { tableFor } from './pieces/piece-tables.ts'
import type { ProjectVectors } from './project-vectors.do.ts'
import { entriesOf, runsOf, type Run } from './runs.ts'
import { VectorCopies } from './vector-copies.ts'
import { VectorCopy, type SentPage } from './vector-copy.ts'

/** Of all projects that this isolate searches. */
const copies = new VectorCopies()

/**
 * Calls the object of a project, or asks a copy of its vectors. An object that does not answer makes the request 503.
 * `copyBytes`: memory for the copies of all projects. `placedIn`: where the objects of a shard are made.
 */
export function projectVectorsClient(
  namespace: DurableObjectNamespace<ProjectVectors>,
  copyBytes: number,
  placedIn: (shard: string) => DurableObjectNamespaceGetDurableObjectOptions | undefined = () => undefined,
): (projectId: string, shard: string) => Port {
  return (projectId, shard) => {
    // Made where it is called: a copy answers most searches.
    const object = () => namespace.getByName(projectId, placedIn(shard))

    /** The copy of a project; null: the isolate has none, and the project is too large or was read a short time ago. */
    const copyOf = async (model: string, revision: number): Promise<VectorCopy | null> => {
      const held = copies.get(projectId, revision, model, systemClock())
      if (held || !copies.beginRead(projectId, copyBytes, systemClock())) return held
      const pages = await readPages(object(), model)
      if (pages === null) copies.tooLarge(projectId, systemClock())
      if (!pages) return null
      const copy = new VectorCopy(model, pages)
      copies.hold(projectId, revision, copy, copyBytes, systemClock())
      return copy
    }

    return {
      // An object of an older version answers nothing.
      put: async (model, entries) =>
        (await orUnavailable<boolean | undefined>(object().put(model, runsOf(entries)))) ?? false,
      setReaders: (readers) => orUnavailable(object().setReaders(readers)),
      entries: async (items) => entriesOf(await orUnavailable<Run[]>(object().runs(named(items)))),
      query: async ({ revision = null, ...query }) => {
        const copy = revision === null ? null : await copyOf(query.model, revision)
        if (copy && copy.count <= query.exactMax) {
          return { hits: copy.query(query, await tableFor(query)), complete: true, copied: true }
        }
        const { hits, complete } = await orUnavailable(object().query({ ...query, packed: true }))
        return { hits: hitsOf(hits), complete, copied: false }
      },
      score: async (query, items) =>
        hitsOf(await orUnavailable<AnsweredHits>(object().score({ ...query, packed: true }, items))),
      remove: (items) => orUnavailable(object().remove(named(items))),
      names: (items) => orUnavailable(object().names(named(items))),
      items: (limit) => orUnavailable(object().items(limit)),
    }
  }
}

/** Entries serve as names too. Their vectors stay here. */
const named = (items: readonly VectorsOf[]): VectorsOf[] =>
  items.map(({ item, version }) => ({ item, ...(version === undefined ? {} : { version }) }))

/**
 * null: the project is too large. undefined: the object does not answer, or is of an older version; then the query itself
 * tells what is wrong.
 */
async function readPages(
  object: DurableObjectStub<ProjectVectors>,
  model: string,
): Promise<SentPage[] | null | undefined> {
  try {
    const pages = await object.pages(model)
    return pages?.every(hasReaders) === false ? undefined : pages
  } catch {
    return undefined
  }
}

/** A copy needs the readers, which an object of an older version does not send. */
const hasReaders = ({ slots }: SentPage): boolean => slots.every((slot) => slot === null || 'reader' in slot)

async function orUnavailable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw isAppError(error) ? error : unavailable('The vectors of this project', error)
  }
}
