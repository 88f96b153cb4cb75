import { embeddedEmbedder } from '../../src/backends/embedder.embedded.ts'
import type { AuthContext, System } from '../../src/core/context.ts'
import type { EmbeddingModel, RerankingModel } from '../../src/core/models.ts'
import type { Embedding } from '../../src/core/vectors.ts'
import { SharedEmbedder, SharedReranker } from '../../src/models/index.ts'
import { system } from './world.ts'

/** The model of the tests' deployment, which other models of tests begin from. */
export const embeddingModel: EmbeddingModel = embeddedEmbedder

const shared = new WeakMap<EmbeddingModel, SharedEmbedder>()

/** What the isolate knows of a model: the same for each context that asks it. */
export function sharedOf(model: EmbeddingModel): SharedEmbedder {
  const known = shared.get(model) ?? new SharedEmbedder(model)
  shared.set(model, known)
  return known
}

const sharedRerankers = new WeakMap<RerankingModel, SharedReranker>()

export function sharedReranker(model: RerankingModel): SharedReranker {
  const known = sharedRerankers.get(model) ?? new SharedReranker(model)
  sharedRerankers.set(model, known)
  return known
}

/** The system of a consumer whose embedding model is this one. */
export function systemWith(model: EmbeddingModel, changes: Partial<System> = {}): System {
  const own: System = { ...system, ...changes, embedder: sharedOf(model).for(() => own) }
  return own
}

/** The same request with another embedding model. */
export const withModel = (ctx: AuthContext, model: EmbeddingModel): AuthContext => ({
  ...ctx,
  embedder: sharedOf(model)
    .for(() => ctx)
    .inTurnOf(ctx.principal, ctx),
})

/** The values of the embeddings that a test embeds: none of its texts is one that the model does not know. */
export const valuesOf = (embeddings: readonly (Embedding | null)[]): Float32Array[] =>
  embeddings.map((embedding) => embedding?.values ?? new Float32Array())

/** A model that answers other vectors. */
export const withVectors = (
  like: EmbeddingModel,
  change: (vectors: Float32Array[]) => Float32Array[],
): EmbeddingModel => ({
  ...like,
  embed: async (...call) => change(valuesOf(await like.embed(...call))).map((values) => ({ values, pieces: null })),
})

export const brokenModel = (like: EmbeddingModel = embeddingModel): EmbeddingModel => ({
  ...like,
  embed: () => Promise.reject(new Error('the model is down')),
})

/** A model that answers when `answer` is called; `asked` settles once it was called. */
export function slowModel(like: EmbeddingModel = embeddingModel): {
  model: EmbeddingModel
  asked: Promise<void>
  answer(): void
} {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const model: EmbeddingModel = {
    ...like,
    embed: async (texts, purpose) => {
      asked.resolve()
      await answered.promise
      return like.embed(texts, purpose)
    },
  }
  return { model, asked: asked.promise, answer: answered.resolve }
}
