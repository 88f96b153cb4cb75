/** The rules of a project on how long items are kept (`projects.retention`), as SQL. They stand in `projects p`. */

/** An item has it to be kept: no `default_ttl` reaches it. */
const PINNED = 'pinned'

/** SQL of what rules and ttl depend on. */
interface Kept {
  namespace: string
  scope: string
  /** JSON array. */
  tags: string
  ttl: string
}

const PREFIX = `r.value ->> 'namespace_prefix'`
/** With a final `:` the prefix names the namespaces below it alone. */
const fitsPrefix = (namespace: string): string => `iif(substr(${PREFIX}, -1) = ':',
  substr(${namespace}, 1, length(${PREFIX})) = ${PREFIX},
  substr(${namespace} || ':', 1, length(${PREFIX}) + 1) = ${PREFIX} || ':')`

/** The first rule that fits, as JSON; null: none. */
const ruleFor = ({ namespace, scope, tags }: Kept): string => `
  (select r.value from json_each(p.retention) r
  where (r.value -> 'namespace_prefix' is null or ${fitsPrefix(namespace)})
    and (r.value -> 'scope' is null or r.value ->> 'scope' = ${scope})
    and (r.value -> 'tags' is null or exists (select 1 from json_each(r.value, '$.tags') t
      where t.value in (select value from json_each(${tags}))))
  order by r.key limit 1)`

const bounded = (kept: Kept, asked: string): string => `
  (select iif(longest is null, asked, min(coalesce(asked, longest), longest)) from (
    select ${asked} as asked, rule ->> 'max_ttl' as longest from (select ${ruleFor(kept)} as rule)))`

/** The ttl of an item whose ttl a change names: at most `max_ttl`. */
export const changedTtl = (kept: Kept): string => `iif(p.retention is null, ${kept.ttl}, ${bounded(kept, kept.ttl)})`

/** The ttl of a new item: `default_ttl` where it has none, and at most `max_ttl`. */
export const newTtl = (kept: Kept): string => {
  const isPinned = `exists (select 1 from json_each(${kept.tags}) where value = '${PINNED}')`
  const asked = `coalesce(${kept.ttl}, iif(${isPinned}, null, rule ->> 'default_ttl'))`
  return `iif(p.retention is null, ${kept.ttl}, ${bounded(kept, asked)})`
}
