import { DurableObject } from 'cloudflare:workers'
import { systemClock } from '../../core/values/clock.ts'
import type {
  ProjectVectors as Port,
  ExactQuery,
  ProjectQuery,
  ReaderOf,
  VectorEntry,
  VectorsOf,
} from '../../core/vectors.ts'
import { readSettings } from '../../settings/index.ts'
import { memoryBudget, MemoryBudget } from './memory-budget.ts'
import { answered, type AnsweredHits, type ReadsPacked } from './packed-hits.ts'
import { tableFor } from './pieces/piece-tables.ts'
import { runsOf, type Run } from './runs.ts'
import type { SentPage } from './vector-copy.ts'
import { VectorStore } from './vector-store.ts'

/** The exact vector tier of one project (architecture §4), named by the project's id. `VectorStore` does the work. */
export class ProjectVectors extends DurableObject<Env> implements Omit<Port, 'put' | 'query' | 'score' | 'entries'> {
  readonly #vectors: VectorStore

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    const { values } = readSettings('ProjectVectors', env)
    this.#vectors = new VectorStore(state.storage, new MemoryBudget(memoryBudget(values.VECTOR_CACHE_MB).objects))
  }

  /** A Worker of an older version sends entries. */
  async put(model: string, sent: readonly Run[] | readonly VectorEntry[]): Promise<boolean> {
    this.#vectors.put(model, areRuns(sent) ? sent.map(complete) : runsOf(sent), systemClock())
    // The caller commits `completed` after this answer, so the vectors must be durable.
    await this.ctx.storage.sync()
    return true
  }

  async setReaders(readers: readonly ReaderOf[]): Promise<string[]> {
    const missing = this.#vectors.setReaders(readers, systemClock())
    await this.ctx.storage.sync()
    return missing
  }

  async runs(items: readonly VectorsOf[]): Promise<Run[]> {
    return this.#vectors.runs(items)
  }

  async query(query: Omit<ProjectQuery, 'revision'> & ReadsPacked): Promise<{ hits: AnsweredHits; complete: boolean }> {
    const table = await tableFor(query)
    const complete = this.#vectors.count(query.model) <= query.exactMax
    const hits = complete ? this.#vectors.query(query, 0, table) : this.#vectors.query(query, query.freshFrom, null)
    return { hits: answered(hits, query), complete }
  }

  /** The pages of a small project, for a copy of them in another isolate; null: the project is too large. */
  async pages(model: string): Promise<SentPage[] | null> {
    return this.#vectors.pages(model)
  }

  async score(query: ExactQuery & ReadsPacked, items: readonly string[]): Promise<AnsweredHits> {
    return answered(this.#vectors.score(query, items, await tableFor(query)), query)
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

/** Runs of an older version have no reader, or no words. */
const complete = (run: Run): Run => ({ ...run, reader: run.reader ?? null, turnWords: run.turnWords ?? null })

const areRuns = (sent: readonly Run[] | readonly VectorEntry[]): sent is readonly Run[] =>
  sent.every((one) => 'vectors' in one)
