/** SQL: the first completed item, by model and dimension, that `where` admits. SQLite searches no index for a pair. */
const firstOf = (where: string): string => `(
  select x.row from memory_items x indexed by memory_items_by_model
  where x.embedding_status = 'completed' and x.deleted_at is null ${where}
  order by x.embedding_model, x.embedding_dimension limit 1)`

/**
 * SQL: the models and dimensions of completed items other than those that `model` and `dimension` name (SQL too; a null
 * dimension is not compared). One step in the index leads from each to the next, however many items there are.
 */
export const otherModels = (model: string, dimension: string): string => `
  models(model, dimension) as (
    select i.embedding_model, i.embedding_dimension from memory_items i where i.row = ${firstOf("and x.embedding_model > ''")}
    union all
    select i.embedding_model, i.embedding_dimension from models o cross join memory_items i on i.row = coalesce(
      ${firstOf('and x.embedding_model = o.model and x.embedding_dimension > o.dimension')},
      ${firstOf('and x.embedding_model > o.model')})),
  other_models as materialized (select * from models where model <> ${model} or dimension <> ${dimension})`

/** Items `i` that await their first embedding, or the one of their changed text. */
export const UNEMBEDDED = `memory_items i indexed by memory_items_unembedded
  where i.embedding_status in ('pending', 'processing') and i.deleted_at is null`

/** Items `i` that another model embedded: no search finds them by their vectors, and a sweep embeds them again. */
export const OUTDATED = `other_models o cross join memory_items i indexed by memory_items_by_model
  where i.embedding_status = 'completed' and i.deleted_at is null
    and i.embedding_model = o.model and i.embedding_dimension = o.dimension`
