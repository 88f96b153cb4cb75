import { z } from '@hono/zod-openapi'
import { shownKey } from '../../core/http/error-size.ts'
import { refuseProto } from '../../core/http/own-record.ts'
import { instantMs } from '../../core/http/instant.ts'
import { describeIssue } from '../../core/http/input-faults.ts'
import { filterSchema } from './filter-json-schema.ts'
import { didYouMean } from '../../core/values/near-name.ts'
import { inNormalForm } from '../../core/values/normal-form.ts'
import { Tag } from '../item.ts'
import { EMBEDDING_STATUSES } from '../table.ts'
import { ITEM_KINDS } from '../../core/values/items.ts'

/**
 * The filter language of search, list, bulk delete and export (contract §3). `Filters` parses it into a tree, and
 * `filterSql` compiles the tree into one SQL condition.
 */
export type Filter = { all: Filter[] } | { any: Filter[] } | { not: Filter } | Condition

type Comparison = '>' | '>=' | '<' | '<='
type Scalar = string | number | boolean | null
export interface TagCondition {
  tags: string[]
  match: 'any' | 'all'
}
export type Condition =
  | TagCondition
  | { instant: (typeof INSTANTS)[number]; is: Comparison; ms: number }
  | { field: (typeof STRINGS)[number]; oneOf: (string | null)[] }
  | { metadata: string; oneOf: Scalar[] }
  | { metadata: string; is: Comparison; than: string | number }

const MAX_DEPTH = 4
export const MAX_CONDITIONS = 32
/** Of all conditions of a filter together. */
export const MAX_VALUES = 256
/** Of a value, and of a metadata path. */
export const MAX_FILTER_CHARACTERS = 256

const INSTANTS = ['occurred_at', 'created_at', 'updated_at', 'expires_at'] as const
const STRINGS = [
  'created_by',
  'embedding_status',
  'kind',
  'custom_id',
  'conversation_id',
  'document_id',
  'session_id',
  'subject',
  'speaker',
] as const
const COMPARISONS = { '>': '>', '>=': '>=', '<': '<', '<=': '<=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
/** The names that a filter may use besides `metadata.<path>`. */
const NAMES = [...INSTANTS, ...STRINGS, 'tags', 'tags_match', 'AND', 'OR', 'NOT']
/** Fields whose values are these alone. */
const ENUMS = { embedding_status: EMBEDDING_STATUSES, kind: ITEM_KINDS } as const

const Text = z.string().max(MAX_FILTER_CHARACTERS)
/** Of a field, whose values are names. Metadata is compared as it was stored. */
const Name = z.string().overwrite(inNormalForm(MAX_FILTER_CHARACTERS)).max(MAX_FILTER_CHARACTERS)
const Scalar = z.union([Text, z.number(), z.boolean(), z.null()])
const Tags = z.array(Tag).min(1).max(MAX_VALUES)
const Operators = Object.keys(COMPARISONS) as (keyof typeof COMPARISONS)[]
const oneOf = <T extends z.ZodType>(value: T) => z.strictObject({ in: z.array(value).min(1).max(MAX_VALUES) })
const compared = <T extends z.ZodType>(value: T) =>
  z
    .preprocess(
      (given, context) => {
        refuseProto(given, context)
        return given
      },
      z.partialRecord(z.enum(Operators), value),
    )
    .refine((members) => Object.keys(members).length > 0, 'A comparison is missing.')
const Matched = z.union([Scalar, oneOf(Scalar), compared(z.union([Text, z.number()]))])

/** Not `z.record`, which would look at every key of a hostile body before the parser counts them. */
const Members = z.custom<Record<string, unknown>>(
  (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  'must be an object of conditions',
)

const SCHEMA = filterSchema({
  instants: INSTANTS,
  strings: STRINGS,
  enums: ENUMS,
  comparisons: Operators,
  maxConditions: MAX_CONDITIONS,
  maxValues: MAX_VALUES,
  maxCharacters: MAX_FILTER_CHARACTERS,
})

/** Parses filters. It reports an unknown key, operator or type as an issue at its path and ignores none. */
export const Filters = Members.transform((value, context): Filter => new Parser(context).parse(value, [], 0)).openapi(
  'Filters',
  {
    ...SCHEMA,
    description: `Conditions that must all be true. Fields: \`tags\` with \`tags_match\` (\`any\`, the default, or \`all\`); ${INSTANTS.join(', ')} with \`>= > <= <\` (or \`gte gt lte lt\`); ${STRINGS.join(', ')} with a value or \`{"in": […]}\`; \`metadata.<path>\` with a value, \`in\` or the comparisons; a value also matches a list that contains it, and a dot within a name is \`\\.\`. \`AND\` and \`OR\` take a list of filters; \`NOT\` takes a filter or a list, none of which may match. Up to ${MAX_DEPTH} levels, ${MAX_CONDITIONS} conditions and ${MAX_VALUES} values in total.`,
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
  #values = 0

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
    if (depth >= MAX_DEPTH)
      return this.#refuse(path, 'too_deep', `AND, OR and NOT can nest at most ${MAX_DEPTH} levels deep.`)
    const parsed = this.#read(z.array(Members).min(1).max(MAX_CONDITIONS), value, path)
    return parsed?.map((member, index) => this.parse(member, [...path, index], depth + 1)) ?? []
  }

  #leaves(key: string, value: unknown, path: Path, siblings: Record<string, unknown>): Filter[] {
    this.#conditions += 1
    if (this.#conditions === MAX_CONDITIONS + 1)
      return this.#refuse(path, 'too_big', `A filter can have at most ${MAX_CONDITIONS} conditions.`)
    if (this.#conditions > MAX_CONDITIONS) return []
    if (key === 'tags') {
      const tags = this.#read(Tags, value, path)
      return tags && this.#counted(tags, path)
        ? [{ tags, match: siblings['tags_match'] === 'all' ? 'all' : 'any' }]
        : []
    }
    if (key === 'tags_match') {
      if (!('tags' in siblings)) return this.#refuse(path, 'invalid_filter', 'tags_match needs tags.')
      this.#read(z.enum(['any', 'all']), value, path)
      return []
    }
    const instant = INSTANTS.find((name) => name === key)
    if (instant) return this.#comparisons(compared(instantMs), value, path).map(([is, ms]) => ({ instant, is, ms }))
    const field = STRINGS.find((name) => name === key)
    if (field) {
      const allowed =
        field === 'embedding_status' || field === 'kind' ? z.enum(ENUMS[field]) : z.union([Name, z.null()])
      const found = this.#read(z.union([allowed, oneOf(allowed)]), value, path)
      if (found === undefined) return []
      const values = found !== null && typeof found === 'object' ? found.in : [found]
      return this.#counted(values, path) ? [{ field, oneOf: values }] : []
    }
    if (key.startsWith('metadata.')) return this.#metadata(key.slice('metadata.'.length), value, path)
    return this.#refuse(path, 'unknown_field', `Unknown filter "${shownKey(key)}".${didYouMean(key, NAMES)}`)
  }

  #metadata(dotted: string, value: unknown, path: Path): Filter[] {
    const metadata = jsonPath(dotted)
    if (!metadata) {
      const form = `1 to 8 names joined by dots, at most ${MAX_FILTER_CHARACTERS} characters`
      return this.#refuse(path, 'invalid_path', `A metadata path must be ${form}; "\\." is a dot within a name.`)
    }
    if (Array.isArray(value))
      return this.#refuse(path, 'invalid_filter', 'A list is not a value: {"in": […]} matches any of several.')
    const found = this.#read(Matched, value, path)
    if (found === undefined) return []
    const values = found === null || typeof found !== 'object' ? [found] : 'in' in found ? found.in : undefined
    if (Array.isArray(values)) return this.#counted(values, path) ? [{ metadata, oneOf: values }] : []
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
    if (!this.#counted(Object.keys(members), path)) return []
    return Operators.flatMap((name): [Comparison, T][] => {
      const operand = members[name]
      return operand === undefined ? [] : [[COMPARISONS[name], operand]]
    })
  }

  /** Whether the filter has room for these values; reports once that it has none. */
  #counted(values: readonly unknown[], path: Path): boolean {
    const before = this.#values
    this.#values += values.length
    if (before <= MAX_VALUES && this.#values > MAX_VALUES) {
      this.#refuse(path, 'too_big', `All conditions together can have at most ${MAX_VALUES} values.`)
    }
    return this.#values <= MAX_VALUES
  }

  #read<T>(schema: z.ZodType<T>, value: unknown, path: Path): T | undefined {
    const parsed = schema.safeParse(value, { error: describeIssue })
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    this.#refuse([...path, ...(issue?.path ?? [])], 'invalid_filter', issue?.message ?? 'is not a filter')
    return undefined
  }

  #refuse(path: Path, code: string, message: string): [] {
    this.#context.addIssue({ code: 'custom', path, message, params: { code } })
    return []
  }
}

/** `a.b\.c` → `$."a"."b.c"`; null where a name is empty or contains what could end its quotes. */
function jsonPath(dotted: string): string | null {
  const names = dotted.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'))
  const sound =
    dotted.length <= MAX_FILTER_CHARACTERS &&
    names.length <= 8 &&
    names.every((name) => /^[^"\\\p{Cc}]{1,128}$/u.test(name))
  return sound ? `$${names.map((name) => `."${name}"`).join('')}` : null
}
