import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import type { RowOf } from '../core/database/row.ts'
import type { EmbeddingModel } from '../core/models.ts'
import type { embedding_models } from './table.ts'

type DimensionRow = RowOf<typeof embedding_models, 'dimension'>
type Databases = Pick<System, 'database' | 'shards'>

/** The dimension of a model: its setting, else that of two answers that agree. */
export class Dimension {
  readonly #model: string
  #known: number | null

  constructor({ model, dimension }: EmbeddingModel) {
    this.#model = model
    this.#known = dimension
  }

  /** null: no setting names it, and this isolate knows of no two answers. */
  get known(): number | null {
    return this.#known
  }

  /** Like `known`, but asks the database first where the isolate does not know. */
  async read(databases: Databases): Promise<number | null> {
    if (this.#known !== null) return this.#known
    const row = await first(databases).first<DimensionRow>(
      'select dimension from embedding_models where model = :model',
      { model: this.#model },
    )
    return (this.#known = row?.dimension ?? null)
  }

  /** Stores a dimension for good. The first of two isolates counts, so the stored dimension may be another one. */
  async learn(databases: Databases, dimension: number, now: number): Promise<number> {
    const [row] = await first(databases).write<DimensionRow>(
      `insert into embedding_models (model, dimension, learnt_at) values (:model, :dimension, :now)
       on conflict (model) do update set dimension = dimension returning dimension`,
      { model: this.#model, dimension, now },
    )
    return (this.#known = row?.dimension ?? dimension)
  }
}

function first(system: Databases): Database {
  const [shard = ''] = system.shards
  return system.database(shard)
}
