import { boundedId } from '../convert/line.ts'
import { partId, type Origin } from '../convert/parts.ts'
import type { Source } from '../convert/source.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { grouped } from '../../grouped.ts'
import type { ImportTarget } from '../service.ts'

/** A filter of more values costs five permits (contract §6). */
const IDS = 64

export interface Scope {
  service: ImportTarget
  project: string
  interrupted: AbortSignal
}

/**
 * Whether the project has any item that is a part of something. Most projects have none, and nothing needs to be looked for.
 * null: the credential may not read, so nobody can tell.
 */
export async function hasParts({ service, project }: Scope): Promise<boolean | null> {
  try {
    return await service.hasItem({ project, namespace: '*', filters: { 'metadata.parts': { '>': 1 } } })
  } catch (error) {
    if (error instanceof Failure && error.exit === EXIT.forbidden) return null
    throw error
  }
}

interface Removal {
  source: Source
  /** Whether the project may have parts that this import has not written. */
  split: boolean
  /** Ids of sources that were not imported whole. */
  except: readonly string[]
}

/**
 * Deletes what an earlier import has stored of the same sources and this one has not written: the parts of a text that has
 * fewer now, and the one item of a text that has parts now. Returns the number of deleted items.
 */
export async function removeStale(scope: Scope, { source, split, except }: Removal): Promise<number> {
  const { origins, written } = await writtenBy(source, new Set(except))
  let removed = 0
  for (const [namespace, all] of grouped(origins, ({ namespace }) => namespace)) {
    const some = all.filter(({ parts }) => split || parts > 1)
    for (let at = 0; at < some.length && !scope.interrupted.aborted; at += IDS / 2) {
      removed += await removeOf(scope, { namespace, origins: some.slice(at, at + IDS / 2), written })
    }
  }
  return removed
}

/** The sources of an import, and all ids that it has written. */
async function writtenBy(source: Source, except: ReadonlySet<string>) {
  const origins: Origin[] = []
  const written = new Set<string>()
  const seen = new Set<string>()
  for await (const record of source.records()) {
    if ('reason' in record || !record.origin) continue
    const { origin } = record
    const key = keyOf(origin.namespace, origin.id)
    if (seen.has(key)) continue
    seen.add(key)
    for (const id of idsOf(origin)) written.add(keyOf(origin.namespace, id))
    if (!except.has(origin.id)) origins.push(origin)
  }
  return { origins, written }
}

const keyOf = (namespace: string | null, id: string): string => JSON.stringify([namespace, id])

const idsOf = ({ id, parts }: Origin): string[] =>
  parts === 1 ? [boundedId(id)] : Array.from({ length: parts }, (_, at) => partId(id, at + 1))

/** The first part that must not be there. */
const firstStale = ({ parts }: Origin): number => (parts === 1 ? 1 : parts + 1)

interface Some {
  namespace: string | null
  origins: readonly Origin[]
  written: ReadonlySet<string>
}

async function removeOf({ service, project }: Scope, { namespace, origins, written }: Some): Promise<number> {
  const call = async (ids: readonly string[], dryRun: boolean): Promise<number> => {
    // The id of a part may be that of another record, which is not stale.
    const others = ids.filter((id) => !written.has(keyOf(namespace, id)))
    return others.length === 0 ? 0 : service.deleteItems({ project, namespace, customIds: others, dryRun })
  }
  const first = (origin: Origin) => [
    partId(origin.id, firstStale(origin)),
    ...(origin.parts > 1 ? [boundedId(origin.id)] : []),
  ]
  if ((await call(origins.flatMap(first), true)) === 0) return 0
  let removed = 0
  for (const origin of origins) {
    const ranges: string[][] = [origin.parts > 1 ? [boundedId(origin.id)] : []]
    for (let from = firstStale(origin), isFull = true; isFull; from += IDS) {
      const ids = Array.from({ length: IDS }, (_, at) => partId(origin.id, from + at))
      ranges.push(ids)
      isFull = (await call(ids, true)) === IDS
    }
    // From the end: where a run breaks off, the first part is still there, by which the next run finds the others.
    for (const ids of ranges.reverse()) removed += await call(ids, false)
  }
  return removed
}
