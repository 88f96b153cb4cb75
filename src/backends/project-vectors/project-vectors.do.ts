import { DurableObject } from 'cloudflare:workers'
import { systemClock } from '../../core/values/clock.ts'
import type { ProjectVectors as Port, VectorEntry, VectorHit, VectorQuery, VectorsOf } from '../../core/ports.ts'
import { cacheBudget } from './page-cache.ts'
import { VectorStore } from './vector-store.ts'

/** The exact vector tier of one project (architecture §4), named by the project's id. `VectorStore` does the work. */
export class ProjectVectors extends DurableObject<Env> implements Port {
  readonly #vectors: VectorStore

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#vectors = new VectorStore(state.storage, cacheBudget(env))
  }

  async put(model: string, entries: readonly VectorEntry[]): Promise<void> {
    this.#vectors.put(model, entries, systemClock())
    // The caller commits `completed` after this answer, so the vectors must be durable.
    await this.ctx.storage.sync()
  }

  async query(
    query: VectorQuery & { exactMax: number; freshFrom: number },
  ): Promise<{ hits: VectorHit[]; complete: boolean }> {
    const { model, vector, limit, namespaces } = query
    const complete = this.#vectors.count(model) <= query.exactMax
    const hits = this.#vectors.query(model, vector, limit, namespaces, complete ? 0 : query.freshFrom)
    return { hits, complete }
  }

  async score(query: VectorQuery, items: readonly string[]): Promise<VectorHit[]> {
    return this.#vectors.score(query.model, query.vector, query.limit, items)
  }

  async remove(items: readonly VectorsOf[]): Promise<void> {
    this.#vectors.remove(items)
  }

  async names(items: readonly VectorsOf[]): Promise<string[]> {
    return this.#vectors.names(items)
  }

  async items(limit: number): Promise<string[]> {
    return this.#vectors.items(limit)
  }
}
