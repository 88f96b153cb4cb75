import { DurableObject } from 'cloudflare:workers'
import { systemClock } from '../../core/values/clock.ts'
import type { ProjectVectors as Port, VectorEntry, VectorHit, VectorQuery, VectorsOf } from '../../core/ports.ts'
import { cacheBudget } from './page-cache.ts'
import { VectorPages } from './vector-pages.ts'

/** The exact vector tier of one project (architecture §4), named by the project's id. Thin: `VectorPages` decides. */
export class ProjectVectors extends DurableObject<Env> implements Port {
  readonly #pages: VectorPages

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#pages = new VectorPages(state.storage, cacheBudget(env))
  }

  async put(model: string, entries: readonly VectorEntry[]): Promise<void> {
    this.#pages.put(model, entries, systemClock())
    // `completed` is committed on the word of this answer, so it has to be durable.
    await this.ctx.storage.sync()
  }

  async query(
    query: VectorQuery & { exactMax: number; freshFrom: number },
  ): Promise<{ hits: VectorHit[]; complete: boolean }> {
    const { model, vector, limit, namespaces } = query
    const complete = this.#pages.count(model) <= query.exactMax
    const hits = this.#pages.query(model, vector, limit, namespaces, complete ? 0 : query.freshFrom)
    return { hits, complete }
  }

  async score(query: VectorQuery, items: readonly string[]): Promise<VectorHit[]> {
    return this.#pages.score(query.model, query.vector, query.limit, items)
  }

  async remove(items: readonly VectorsOf[]): Promise<void> {
    this.#pages.remove(items)
  }

  async names(items: readonly VectorsOf[]): Promise<string[]> {
    return this.#pages.names(items)
  }

  async items(limit: number): Promise<string[]> {
    return this.#pages.items(limit)
  }
}
