import type { System } from '../../core/context.ts'
import { mayBlameTexts } from '../../core/embedding.ts'
import type { CutChunk, Embedding } from '../../core/vectors.ts'

/** A text, and its word pieces where the cut found them. */
export interface Part {
  text: string
  pieces: CutChunk['pieces']
}

/** A text that the model refuses alone, twice, while it embeds a harmless one. */
export interface RefusedText {
  refused: unknown
}

/** What comes of a text. null: the model knows nothing of it. */
export type Outcome = Embedding | null | RefusedText

/**
 * One embedding for each text, in order, or why the model refuses it. A refused call is halved down to one text before a
 * text is blamed. Throws where the model is at fault.
 */
export async function embedTexts(system: System, parts: readonly Part[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  while (outcomes.length < parts.length) {
    const some = parts.slice(outcomes.length, outcomes.length + system.embedder.maxTexts)
    outcomes.push(...(await embedCall(system, some)))
  }
  return outcomes
}

async function embedCall(system: System, parts: readonly Part[]): Promise<Outcome[]> {
  try {
    return await call(system, parts)
  } catch (error) {
    await requireBlame(system, error)
  }
  return parts.length > 1 ? inHalves(system, parts) : [await again(system, parts)]
}

/** Where both halves pass, the size was to blame and no text. */
async function inHalves(system: System, parts: readonly Part[]): Promise<Outcome[]> {
  const middle = Math.ceil(parts.length / 2)
  const outcomes = await embedTexts(system, parts.slice(0, middle))
  outcomes.push(...(await embedTexts(system, parts.slice(middle))))
  if (!outcomes.some(isRefused)) system.embedder.takesAtMost(middle)
  return outcomes
}

/** A text fails for good only where the model refuses it twice, and embeds a harmless text before and after. */
async function again(system: System, parts: readonly Part[]): Promise<Outcome> {
  try {
    const [embedding = null] = await call(system, parts)
    return embedding
  } catch (error) {
    await requireBlame(system, error)
    return { refused: error }
  }
}

/** Throws why the model is at fault for a failure. Passes where the texts may be. */
async function requireBlame(system: System, error: unknown): Promise<void> {
  if (!mayBlameTexts(error)) throw error
  await system.embedder.requireWell()
}

const call = (system: System, parts: readonly Part[]): Promise<(Embedding | null)[]> =>
  system.embedder.embed(
    parts.map(({ text }) => text),
    parts.map(({ pieces }) => pieces),
  )

export const isRefused = (outcome: Outcome): outcome is RefusedText => outcome !== null && 'refused' in outcome
