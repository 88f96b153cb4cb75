import type { System } from '../../core/context.ts'
import type { VectorEntry } from '../../core/ports.ts'
import { chunks } from './chunk.ts'
import type { Claimed, Lease, Leased } from './lease.ts'
import { callModel, mayBlameTexts, requireWellModel } from './model-call.ts'

/** Texts of one model call (architecture §9). */
const MAX_TEXTS = 100

/** An item with the texts of its chunks. */
interface Chunked {
  item: Leased
  texts: string[]
}

/** An item with the vectors of its chunks. */
export interface Embedded {
  item: Leased
  entries: VectorEntry[]
}

/** Groups items of all tenants so that the chunks of a group fit into one model call. An item with more stands alone. */
export function grouped(items: readonly Claimed[], maxTokens: number): Chunked[][] {
  const groups: Chunked[][] = []
  let room = 0
  for (const { text, ...item } of items) {
    const texts = chunks(text, maxTokens).map(({ start, end }) => text.slice(start, end))
    if (groups.length === 0 || texts.length > room) {
      groups.push([])
      room = MAX_TEXTS
    }
    groups.at(-1)?.push({ item, texts })
    room -= texts.length
  }
  return groups
}

/** Answers the items that have their vectors. The others get a failed attempt. */
export async function embedGroup(system: System, lease: Lease, group: readonly Chunked[]): Promise<Embedded[]> {
  try {
    return await withVectors(system, group)
  } catch (error) {
    const down = await modelFailure(system, error)
    if (down !== null) {
      await lease.fail(
        group.map(({ item }) => item),
        'no_model',
        down,
      )
      return []
    }
  }
  // One of the texts is at fault. Each item is tried alone, so that the others get their vectors.
  const embedded: Embedded[] = []
  for (const alone of group) embedded.push(...(await embedAlone(system, lease, alone)))
  return embedded
}

/** A text fails for good only where the model embeds a harmless text before and after it. */
async function embedAlone(system: System, lease: Lease, alone: Chunked): Promise<Embedded[]> {
  try {
    return await withVectors(system, [alone])
  } catch (error) {
    const down = await modelFailure(system, error)
    await lease.fail([alone.item], down === null ? 'refused' : 'no_model', down ?? error)
    return []
  }
}

/** Why the model is at fault for a failure; null where the texts are. */
async function modelFailure(system: System, error: unknown): Promise<unknown> {
  if (!mayBlameTexts(error)) return error
  try {
    await requireWellModel(system)
    return null
  } catch (down) {
    return down
  }
}

async function withVectors(system: System, group: readonly Chunked[]): Promise<Embedded[]> {
  const texts = group.flatMap((one) => one.texts)
  const vectors: Float32Array[] = []
  for (let at = 0; at < texts.length; at += MAX_TEXTS)
    vectors.push(...(await callModel(system, texts.slice(at, at + MAX_TEXTS), 'document')))
  let next = 0
  return group.map(({ item, texts: own }) => ({
    item,
    entries: own.map((_, chunk) => {
      const values = vectors[next++]
      if (!values) throw new Error('a chunk has no vector')
      const { id, row, vector_version: version, namespace } = item
      return { item: id, row, version, chunk, namespace, values }
    }),
  }))
}
