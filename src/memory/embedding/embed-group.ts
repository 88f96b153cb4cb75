import type { System } from '../../core/context.ts'
import type { CutChunk, Embedder, Embedding, VectorEntry } from '../../core/vectors.ts'
import { portions } from '../../core/values/portions.ts'
import type { Claimed, Lease, Leased } from './lease.ts'
import { callModel, mayBlameTexts, requireWellModel } from './model-call.ts'

/** Texts of one model call (architecture §9). */
const MAX_TEXTS = 100

/** An item with its chunks and their texts. */
interface Chunked {
  item: Leased
  chunks: CutChunk[]
  texts: string[]
}

/** An item with the vectors of its chunks. */
export interface Embedded {
  item: Leased
  entries: VectorEntry[]
}

/**
 * Groups items of all tenants so that the chunks of a group fit into one model call. An item with more stands alone. A
 * text is cut when its group is asked for: 50 long ones would take the processor for seconds.
 */
export function* grouped(items: readonly Claimed[], embedder: Embedder): Generator<Chunked[]> {
  let group: Chunked[] = []
  let room = MAX_TEXTS
  for (const { text, ...item } of items) {
    const chunks = embedder.chunks(text)
    const texts = chunks.map(({ start, end }) => text.slice(start, end))
    if (group.length > 0 && texts.length > room) {
      yield group
      group = []
      room = MAX_TEXTS
    }
    group.push({ item, chunks, texts })
    room -= texts.length
  }
  if (group.length > 0) yield group
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
  const parts = group.flatMap(({ chunks, texts }) =>
    chunks.map(({ pieces }, nth) => ({ text: texts[nth] ?? '', pieces })),
  )
  const embeddings: (Embedding | null)[] = []
  for (const some of portions(parts, MAX_TEXTS)) {
    const texts = some.map(({ text }) => text)
    const pieces = some.map((part) => part.pieces)
    embeddings.push(...(await callModel(system, texts, 'document', pieces)))
  }
  let next = 0
  return group.map(({ item, chunks }) => ({
    item,
    entries: chunks.flatMap(({ start, end }, chunk) => {
      const embedding = embeddings[next++]
      const offsets = { start, end }
      const { id, row, vector_version: version, namespace } = item
      return embedding ? [{ item: id, row, version, chunk, offsets, namespace, ...embedding }] : []
    }),
  }))
}
