import type { System } from '../../core/context.ts'
import type { CutChunk, VectorEntry } from '../../core/vectors.ts'
import { embedTexts, isRefused, type Outcome } from './embed-texts.ts'
import type { Claimed, Lease, Leased } from './lease.ts'

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
export function* grouped(system: System, items: readonly Claimed[]): Generator<Chunked[]> {
  let group: Chunked[] = []
  let room = system.embedder.maxTexts
  for (const { text, ...item } of items) {
    const chunks = system.embedder.chunks(text)
    const texts = chunks.map(({ start, end }) => text.slice(start, end))
    if (group.length > 0 && texts.length > room) {
      yield group
      group = []
      room = system.embedder.maxTexts
    }
    group.push({ item, chunks, texts })
    room -= texts.length
  }
  if (group.length > 0) yield group
}

/** Answers the items that have their vectors. The others get a failed attempt. */
export async function embedGroup(system: System, lease: Lease, group: readonly Chunked[]): Promise<Embedded[]> {
  const parts = group.flatMap(({ chunks, texts }) =>
    chunks.map(({ pieces }, nth) => ({ text: texts[nth] ?? '', pieces })),
  )
  let outcomes: Awaited<ReturnType<typeof embedTexts>>
  try {
    outcomes = await embedTexts(system, parts)
  } catch (down) {
    await lease.fail(
      group.map(({ item }) => item),
      'no_model',
      down,
    )
    return []
  }
  const embedded: Embedded[] = []
  let next = 0
  for (const { item, chunks } of group) {
    const own = outcomes.slice(next, (next += chunks.length))
    const refused = own.find(isRefused)
    if (refused) await lease.fail([item], 'refused', refused.refused)
    else embedded.push({ item, entries: entriesOf(item, chunks, own) })
  }
  return embedded
}

/** A text of which the model knows nothing has no vector. */
const entriesOf = (item: Leased, chunks: readonly CutChunk[], outcomes: readonly Outcome[]): VectorEntry[] =>
  chunks.flatMap(({ start, end }, chunk) => {
    const embedding = outcomes[chunk]
    if (!embedding || isRefused(embedding)) return []
    const { id, row, vector_version: version, namespace, reader, turn_words: turnWords } = item
    return [{ item: id, row, version, chunk, offsets: { start, end }, namespace, reader, turnWords, ...embedding }]
  })
