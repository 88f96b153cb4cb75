import type { System } from '../../core/context.ts'
import type { RowOf } from '../../core/database/row.ts'
import type { Embedder } from '../../core/vectors.ts'
import type { embedding_models } from '../table.ts'

type DimensionRow = RowOf<typeof embedding_models, 'dimension'>
type Models = Pick<System, 'embedder' | 'database' | 'shards' | 'now'>

/** The dimensions of models for which no setting names one, from two answers that agree. */
const learnt = new WeakMap<Embedder, number>()

/** The dimension of the model as far as this isolate knows it; null: no setting names it, and the model has not answered twice. */
export const knownDimension = ({ embedder }: Pick<Models, 'embedder'>): number | null =>
  embedder.dimension ?? learnt.get(embedder) ?? null

/** Like `knownDimension`, but asks the database first where the isolate does not know. */
export async function readDimension(system: Models): Promise<number | null> {
  const known = knownDimension(system)
  if (known !== null) return known
  const row = await databaseOf(system).first<DimensionRow>(
    'select dimension from embedding_models where model = :model',
    { model: system.embedder.model },
  )
  if (row) learnt.set(system.embedder, row.dimension)
  return row?.dimension ?? null
}

/** Stores a dimension. The first of two isolates counts, so the stored dimension may be another one. */
export async function learnDimension(system: Models, dimension: number): Promise<number> {
  const [row] = await databaseOf(system).write<DimensionRow>(
    `insert into embedding_models (model, dimension, learnt_at) values (:model, :dimension, :now)
     on conflict (model) do update set dimension = dimension returning dimension`,
    { model: system.embedder.model, dimension, now: system.now() },
  )
  learnt.set(system.embedder, row?.dimension ?? dimension)
  return row?.dimension ?? dimension
}

function databaseOf({ database, shards }: Models): ReturnType<Models['database']> {
  const [first = ''] = shards
  return database(first)
}
