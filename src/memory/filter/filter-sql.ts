import type { Params, Sql } from '../../core/database/sql.ts'
import { storedForms } from '../../core/values/normal-form.ts'
import type { Condition, Filter, TagCondition } from './filter.ts'
import { MAX_TAGS } from '../item.ts'
import { simplify, type Literal, type Simplified } from './simplify-filter.ts'

/** A condition on `memory_items i`. */
export interface FilterSql extends Sql {
  /** Conditions on metadata, and on tags. */
  metadata: number
  tags: number
}

/**
 * Compiles a filter. Its values are one JSON array, `:filter_values`, so nothing that a client sends becomes SQL. Each
 * condition is true or false, never null, so that NOT is the complement. Cheap conditions are looked at first, and the tags of an item are read once, however many conditions ask for tags.
 */
export function filterSql(filter: Filter): FilterSql {
  const compiler = new Compiler()
  const simplified = simplify(filter)
  const sql = compiler.compile(simplified)
  const metadata = conditionsOf(simplified).filter((it) => 'metadata' in it).length
  return { sql, params: compiler.params(), metadata, tags: tagConditions(simplified).length }
}

/** No row is below 0. For a constant in its place SQLite finds no plan where a statement names its index. */
const NEVER = '+i.row < 0'

class Compiler {
  readonly #values: unknown[] = []

  params(): Params {
    return this.#values.length > 0 ? { filter_values: JSON.stringify(this.#values) } : {}
  }

  compile(filter: Simplified): string {
    const parts = 'all' in filter ? filter.all : [filter]
    const ofTags = parts.filter((part) => tagConditions(part).length > 0)
    // One tag condition is faster alone than by counts.
    if (ofTags.flatMap(tagConditions).length < 2) return this.#every(parts)
    const others = parts.filter((part) => !ofTags.includes(part))
    return [...others.toSorted(byCost).map((part) => this.#node(part)), this.#byTagCounts(ofTags)].join(' and ')
  }

  #every(parts: readonly Simplified[], literal?: (it: Literal) => string): string {
    return this.#node({ all: [...parts] }, literal)
  }

  #node(node: Simplified, literal = (it: Literal) => this.#literal(it)): string {
    if ('condition' in node) return literal(node)
    const [members, operator, empty] =
      'all' in node ? ([node.all, ' and ', '1'] as const) : ([node.any, ' or ', NEVER] as const)
    if (members.length === 0) return empty
    const parts = members.toSorted(byCost).map((member) => this.#node(member, literal))
    return `(${parts.join(operator)})`
  }

  /**
   * Several tag conditions: counts for each condition how many of its tags the item has. One pass over the item's tags
   * looks each tag up once and adds the counters, which are packed into integers. `materialized`, the type of `tag` and
   * the cross join make SQLite build the table and its index once a statement.
   */
  #byTagCounts(parts: readonly Simplified[]): string {
    const counters = new TagCounters()
    const where = this.#every(parts, (literal) =>
      'tags' in literal.condition ? counters.add(literal.condition, literal.holds) : this.#literal(literal),
    )
    const words = counters.rows()
    const columns = Array.from({ length: counters.words }, (_, word) => word)
    return `exists (
      with filter_tags as materialized (
        select cast(value ->> '$[0]' as text) as tag,
          ${columns.map((word) => `cast(value ->> '$[${word + 1}]' as integer) as c${word}`).join(', ')}
        from ${this.#each(words)})
      select 1 from (
        select ${columns.map((word) => `coalesce(sum(f.c${word}), 0) as c${word}`).join(', ')}
        from memory_tags t cross join filter_tags f on f.tag = t.tag where t.item_row = i.row) counted
      where ${where})`
  }

  #literal({ condition, holds }: Literal): string {
    const sql = `((${this.#condition(condition)}) is true)`
    return holds ? sql : `not ${sql}`
  }

  #condition(it: Condition): string {
    if ('tags' in it) {
      // The plus makes SQLite look each tag of the item up in the set, not each value of the set in the table.
      const tagged = `from memory_tags t where t.item_row = i.row and +t.tag in (select value from ${this.#each(it.tags)})`
      return it.match === 'any' || it.tags.length === 1
        ? `exists (select 1 ${tagged})`
        : `(select count(*) ${tagged}) = ${it.tags.length}`
    }
    if ('instant' in it)
      return `i.${it.instant === 'occurred_at' ? 'occurrence' : it.instant} ${it.is} ${this.#one(it.ms)}`
    if ('field' in it) {
      const names = it.oneOf.flatMap((value) => (value === null ? [] : storedForms(value)))
      const named = `i.${it.field} in (select value from ${this.#each(names)})`
      return it.oneOf.includes(null) ? `(${named} or i.${it.field} is null)` : named
    }
    const path = this.#one(it.metadata)
    if ('oneOf' in it) return this.#equals(path, it.oneOf)
    const type = typeof it.than === 'number' ? `'integer', 'real'` : `'text'`
    return `(json_type(i.metadata, ${path}) in (${type}) and i.metadata ->> ${path} ${it.is} ${this.#one(it.than)})`
  }

  /** The member, or one of the list that it is, has one of the values. An absent member equals null. */
  #equals(path: string, oneOf: readonly (string | number | boolean | null)[]): string {
    // JSON texts, and types beside values, tell 1, "1" and true apart.
    const member = `coalesce(i.metadata -> ${path}, 'null') in (select value from ${this.#each(oneOf.map((value) => JSON.stringify(value)))})`
    const inList = `(e.type, coalesce(e.atom, '')) in (select type, coalesce(atom, '') from ${this.#each(oneOf)})`
    return `(${member} or json_type(i.metadata, ${path}) = 'array'
      and exists (select 1 from json_each(i.metadata, ${path}) e where ${inList}))`
  }

  #bind = (value: unknown): string => `$[${this.#values.push(value) - 1}]`
  /** A subquery, which SQLite runs once a statement and not once a row. */
  #one = (value: unknown): string => `(select :filter_values ->> '${this.#bind(value)}')`
  #each = (list: readonly unknown[]): string => `json_each(:filter_values, '${this.#bind(list)}')`
}

/** An item has at most 32 tags, so six bits hold a count, and ten counts fit into an integer of 63 bits. */
const COUNT_BITS = Math.ceil(Math.log2(MAX_TAGS + 1))
const COUNTS = Math.floor(63 / COUNT_BITS)

class TagCounters {
  readonly #byTag = new Map<string, bigint[]>()
  #count = 0

  get words(): number {
    return Math.ceil(this.#count / COUNTS)
  }

  /** SQL of the condition, on the sums over the item's tags. */
  add({ tags, match }: TagCondition, holds: boolean): string {
    const word = Math.floor(this.#count / COUNTS)
    const shift = COUNT_BITS * (this.#count % COUNTS)
    this.#count += 1
    for (const tag of tags) {
      const counters = this.#byTag.get(tag) ?? []
      counters[word] = (counters[word] ?? 0n) + (1n << BigInt(shift))
      this.#byTag.set(tag, counters)
    }
    const count = `(counted.c${word} >> ${shift} & ${2 ** COUNT_BITS - 1})`
    return match === 'any' ? `(${count} ${holds ? '>' : '='} 0)` : `(${count} ${holds ? '=' : '<>'} ${tags.length})`
  }

  /** Rows of `[tag, word, …]`. A word has more bits than a number of JSON keeps, so it is a text. */
  rows(): string[][] {
    return [...this.#byTag].map(([tag, counters]) => [
      tag,
      ...Array.from({ length: this.words }, (_, word) => String(counters[word] ?? 0n)),
    ])
  }
}

/** The cost rank of a part by the data that it reads: columns, then tags, then the JSON of metadata. */
const costOf = (part: Simplified): number =>
  Math.max(0, ...conditionsOf(part).map((it) => ('metadata' in it ? 2 : 'tags' in it ? 1 : 0)))

const byCost = (a: Simplified, b: Simplified): number => costOf(a) - costOf(b)

const tagConditions = (part: Simplified): Condition[] => conditionsOf(part).filter((it) => 'tags' in it)

function conditionsOf(part: Simplified): Condition[] {
  if ('condition' in part) return [part.condition]
  return ('all' in part ? part.all : part.any).flatMap(conditionsOf)
}
