import type { LeftOut } from '../convert/line.ts'
import type { Source } from '../convert/source.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { Scope } from './stale-parts.ts'

const IDS = 64

/**
 * Deletes the items that an earlier import of the same folder has stored for files that are gone. A file that is there and
 * cannot be read is not gone. Returns the number of deleted items.
 */
export async function prune(
  { service, project, interrupted }: Scope,
  { source, leftOut, namespace }: { source: Source; leftOut: readonly LeftOut[]; namespace: string | null },
): Promise<number> {
  const present = new Set(leftOut.map(({ from }) => from))
  const folders = leftOut.flatMap(({ from, kind }) => (kind === 'unread' && from.endsWith('/') ? [from] : []))
  for await (const { from } of source.records()) present.add(from)
  if (present.size === 0)
    throw new Failure(EXIT.usage, `${source.name} is empty, so --prune would delete all its items.`, {
      hint: 'If that is what you want, delete them with the API: POST /v1/memory/delete.',
    })
  const isPresent = (path: string): boolean => present.has(path) || folders.some((folder) => path.startsWith(folder))
  const gone: string[] = []
  const filters = { 'metadata.imported_from': source.folder }
  for await (const { custom_id, content } of service.items({ project, namespace, filters })) {
    const path: unknown = content.metadata['path']
    if (typeof path !== 'string' || custom_id === null || isPresent(path.normalize('NFC'))) continue
    gone.push(custom_id)
  }
  let pruned = 0
  for (let at = 0; at < gone.length && !interrupted.aborted; at += IDS) {
    const customIds = gone.slice(at, at + IDS)
    pruned += await service.deleteItems({ project, namespace, customIds, dryRun: false })
  }
  return pruned
}
