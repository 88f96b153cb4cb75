import { z } from '@hono/zod-openapi'

/**
 * The filter language of search, list, bulk delete and export (contract §3). `Filters` parses it into a tree, and
 * `filterSql` compiles the tree into one SQL condition. Values and metadata paths travel as members of one JSON
 * parameter, so nothing that a client sends becomes SQL.
 */
export type Filter = { all: Filter[] } | { any: Filter[] } | { not: Filter } | Leaf

type Comparison = '>' | '>=' | '<' | '<='
type Scalar = string | number | boolean | null
type Leaf =
  | { tags: string[]; match: 'any' | 'all' }
  | { instant: (typeof INSTANTS)[number]; is: Comparison; ms: number }
  | { field: (typeof STRINGS)[number]; oneOf: (string | null)[] }
  | { metadata: string; oneOf: Scalar[] }
  | { metadata: string; is: Comparison; than: string | number }

const MAX_DEPTH = 4
/** Keeps the SQL far from D1's limit of 100 nested expressions. */
const MAX_CONDITIONS = 32
const MAX_VALUES = 100

const INSTANTS = ['created_at', 'updated_at', 'expires_at'] as const
const STRINGS = ['created_by', 'embedding_status', 'custom_id', 'conversation_id', 'document_id', 'session_id'] as const
const COMPARISONS = { '>': '>', '>=': '>=', '<': '<', '<=': '<=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const STATUSES = ['pending', 'processing', 'completed', 'failed']

const Text = z.string().max(1_024)
const Scalar = z.union([Text, z.number(), z.boolean(), z.null()])
const Tags = z.array(z.string().min(1).max(64)).min(1).max(MAX_VALUES)
const Instant = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value))
const Operators = Object.keys(COMPARISONS) as (keyof typeof COMPARISONS)[]
const oneOf = <T extends z.ZodType>(value: T) => z.strictObject({ in: z.array(value).min(1).max(MAX_VALUES) })
const compared = <T extends z.ZodType>(value: T) =>
  z.partialRecord(z.enum(Operators), value).refine((members) => Object.keys(members).length > 0, 'Name a comparison.')
const Matched = z.union([Scalar, oneOf(Scalar), compared(z.union([Text, z.number()]))])

/** Not `z.record`, which would look at every key of a hostile body before the parser counts them. */
const Members = z.custom<Record<string, unknown>>(
  (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  'An object of conditions.',
)

/** Parses filters. It reports an unknown key, operator or type as an issue at its path and ignores none. */
export const Filters = Members.transform((value, context): Filter => new Parser(context).parse(value, [], 0)).openapi(
  'Filters',
  {
    type: 'object',
    description: `Conditions that must all hold. Fields: \`tags\` with \`tags_match\` (\`any\`, the default, or \`all\`); ${INSTANTS.join(', ')} with \`>= > <= <\` (or \`gte gt lte lt\`); ${STRINGS.join(', ')} with a value or \`{"in": […]}\`; \`metadata.<path>\` with a value, \`in\` or the comparisons. \`AND\` and \`OR\` take a list of filters, \`NOT\` one or a list of which none may hold; up to ${MAX_DEPTH} levels and ${MAX_CONDITIONS} conditions.`,
    example: {
      tags: ['billing'],
      'metadata.priority': { '>=': 2 },
      NOT: { created_by: 'usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG' },
    },
  },
)

type Path = PropertyKey[]

class Parser {
  readonly #context: z.RefinementCtx
  #conditions = 0

  constructor(context: z.RefinementCtx) {
    this.#context = context
  }

  parse(filters: Record<string, unknown>, path: Path, depth: number): Filter {
    const all: Filter[] = []
    for (const [key, value] of Object.entries(filters)) {
      const at = [...path, key]
      if (key === 'AND') all.push({ all: this.#list(value, at, depth) })
      else if (key === 'OR') all.push({ any: this.#list(value, at, depth) })
      else if (key === 'NOT') all.push({ not: { any: this.#list(Array.isArray(value) ? value : [value], at, depth) } })
      else all.push(...this.#leaves(key, value, at, filters))
    }
    return all.length === 1 && all[0] ? all[0] : { all }
  }

  #list(value: unknown, path: Path, depth: number): Filter[] {
    if (depth >= MAX_DEPTH) return this.#refuse(path, 'too_deep', `AND, OR and NOT nest at most ${MAX_DEPTH} deep.`)
    const parsed = this.#read(z.array(Members).min(1).max(MAX_CONDITIONS), value, path)
    return parsed?.map((member, index) => this.parse(member, [...path, index], depth + 1)) ?? []
  }

  #leaves(key: string, value: unknown, path: Path, siblings: Record<string, unknown>): Filter[] {
    this.#conditions += 1
    if (this.#conditions === MAX_CONDITIONS + 1)
      return this.#refuse(path, 'too_big', `At most ${MAX_CONDITIONS} conditions.`)
    if (this.#conditions > MAX_CONDITIONS) return []
    if (key === 'tags') {
      const tags = this.#read(Tags, value, path)
      return tags ? [{ tags, match: siblings['tags_match'] === 'all' ? 'all' : 'any' }] : []
    }
    if (key === 'tags_match') {
      if (!('tags' in siblings)) return this.#refuse(path, 'invalid_filter', 'tags_match goes with tags.')
      this.#read(z.enum(['any', 'all']), value, path)
      return []
    }
    const instant = INSTANTS.find((name) => name === key)
    if (instant) return this.#comparisons(compared(Instant), value, path).map(([is, ms]) => ({ instant, is, ms }))
    const field = STRINGS.find((name) => name === key)
    if (field) {
      const allowed = field === 'embedding_status' ? z.enum(STATUSES) : z.union([Text, z.null()])
      const found = this.#read(z.union([allowed, oneOf(allowed)]), value, path)
      return found === undefined
        ? []
        : [{ field, oneOf: found !== null && typeof found === 'object' ? found.in : [found] }]
    }
    if (key.startsWith('metadata.')) return this.#metadata(key.slice('metadata.'.length), value, path)
    return this.#refuse(path, 'unknown_field', `Unknown filter "${key.slice(0, 80)}".`)
  }

  #metadata(dotted: string, value: unknown, path: Path): Filter[] {
    const metadata = jsonPath(dotted)
    if (!metadata) return this.#refuse(path, 'invalid_path', 'A metadata path is 1 to 8 names joined by dots.')
    const found = this.#read(Matched, value, path)
    if (found === undefined) return []
    if (found === null || typeof found !== 'object') return [{ metadata, oneOf: [found] }]
    if ('in' in found && Array.isArray(found.in)) return [{ metadata, oneOf: found.in }]
    return this.#comparisons(compared(z.union([Text, z.number()])), value, path).map(([is, than]) => ({
      metadata,
      is,
      than,
    }))
  }

  #comparisons<T>(
    schema: z.ZodType<Partial<Record<keyof typeof COMPARISONS, T>>>,
    value: unknown,
    path: Path,
  ): [Comparison, T][] {
    const members = this.#read(schema, value, path) ?? {}
    return Operators.flatMap((name): [Comparison, T][] => {
      const operand = members[name]
      return operand === undefined ? [] : [[COMPARISONS[name], operand]]
    })
  }

  #read<T>(schema: z.ZodType<T>, value: unknown, path: Path): T | undefined {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    this.#refuse([...path, ...(issue?.path ?? [])], 'invalid_filter', issue?.message ?? 'Not a filter.')
    return undefined
  }

  #refuse(path: Path, code: string, message: string): [] {
    this.#context.addIssue({ code: 'custom', path, message, params: { code } })
    return []
  }
}

/** `a.b` → `$."a"."b"`; null where a name is empty or contains what could end its quotes. */
function jsonPath(dotted: string): string | null {
  const names = dotted.split('.')
  const sound = names.length <= 8 && names.every((name) => /^[^"\\\p{Cc}]{1,128}$/u.test(name))
  return sound ? `$${names.map((name) => `."${name}"`).join('')}` : null
}

/**
 * The condition on `memory_items i`, and the JSON array that the statement binds at `parameter` (`?8`).
 * Each leaf is true or false, never null, so that NOT is the complement.
 */
export function filterSql(filter: Filter, parameter: string): { sql: string; values: string } {
  const values: unknown[] = []
  const bind = (value: unknown): string => `$[${values.push(value) - 1}]`
  const one = (value: unknown): string => `${parameter} ->> '${bind(value)}'`
  const each = (list: unknown[]): string => `json_each(${parameter}, '${bind(list)}')`
  const leaf = (it: Leaf): string => {
    if ('tags' in it) {
      const tagged = 'select 1 from memory_tags t where t.item_row = i.row and t.tag = v.value'
      return it.match === 'any'
        ? `exists (select 1 from ${each(it.tags)} v where exists (${tagged}))`
        : `not exists (select 1 from ${each(it.tags)} v where not exists (${tagged}))`
    }
    if ('instant' in it) return `i.${it.instant} ${it.is} ${one(it.ms)}`
    if ('field' in it) {
      const named = `i.${it.field} in (select value from ${each(it.oneOf.filter((value) => value !== null))})`
      return it.oneOf.includes(null) ? `(${named} or i.${it.field} is null)` : named
    }
    const path = one(it.metadata)
    if ('oneOf' in it) {
      // It compares JSON texts, so 1, "1" and true differ. An absent member equals null.
      return `coalesce(i.metadata -> (${path}), 'null') in (select value from ${each(it.oneOf.map((value) => JSON.stringify(value)))})`
    }
    const type = typeof it.than === 'number' ? `'integer', 'real'` : `'text'`
    return `(json_type(i.metadata, ${path}) in (${type}) and i.metadata ->> (${path}) ${it.is} ${one(it.than)})`
  }
  const compile = (node: Filter): string => {
    if ('all' in node) return node.all.length === 0 ? '1' : `(${node.all.map(compile).join(' and ')})`
    if ('any' in node) return node.any.length === 0 ? '0' : `(${node.any.map(compile).join(' or ')})`
    if ('not' in node) return `not ${compile(node.not)}`
    return `((${leaf(node)}) is true)`
  }
  const sql = compile(filter)
  return { sql, values: JSON.stringify(values) }
}
