import { readFileSync } from 'node:fs'
import { MAX_CONDITIONS, MAX_FILTER_CHARACTERS, MAX_VALUES } from '../../src/memory/filter.ts'
import { MAX_TAGS } from '../../src/memory/item.ts'
import type { LoadRequest } from './load.ts'

/** Tags of the seeded items. */
export const TAG_NAMES = Array.from({ length: 200 }, (_, at) => `tag ${at} ${'x'.repeat(40)}`)
const DEEPEST = 8

/** An item of the seed: 8 tags of 200, a text of its own, and 12 members of metadata, one of them as deep as may be. */
export function seedItem(at: number, text: string): Record<string, unknown> {
  const deep = Array.from({ length: DEEPEST - 1 }).reduce<unknown>((inner) => ({ d: inner }), at % 7)
  const members = Object.fromEntries(
    Array.from({ length: 10 }, (_, member) => [`m${member}`, (at * (member + 3)) % 11]),
  )
  const tags = Array.from({ length: 8 }, (_, tag) => TAG_NAMES[(at * 7 + tag * 23) % TAG_NAMES.length] ?? '')
  return { op: 'store', content: { text, metadata: { ...members, priority: at % 5, deep } }, tags }
}

/** What a client usually asks for; half of the items or fewer pass. */
export const MEDIAN_FILTER = { tags: TAG_NAMES.slice(0, 8), 'metadata.priority': { '>=': 2 } }

const conditions = <T>(count: number, one: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => one(at))
const each = MAX_VALUES / MAX_CONDITIONS
const tagsAt = (at: number): string[] =>
  conditions(each, (tag) => TAG_NAMES[(at * each + tag) % TAG_NAMES.length] ?? '')
const long = (at: number): string => `${at} `.padEnd(MAX_FILTER_CHARACTERS, 'v')

/** Filters at every bound of the schema, which no item passes, so that each condition is looked at for each item. */
export const WORST_FILTERS: Record<string, unknown> = {
  'tags, any': {
    OR: conditions(MAX_CONDITIONS / 2, (at) => ({ tags: tagsAt(2 * at), AND: [{ tags: [`absent ${at}`] }] })),
  },
  'tags, all': {
    OR: conditions(MAX_CONDITIONS / 2, (at) => ({ tags: [...tagsAt(at), `absent ${at}`], tags_match: 'all' })),
  },
  metadata: {
    OR: conditions(MAX_CONDITIONS, (at) => ({
      [`metadata.${at < 11 ? `m${at}` : 'deep.d.d.d.d.d.d.d'}`]: { '>': `absent ${at}` },
    })),
  },
  'metadata, absent paths': {
    OR: conditions(MAX_CONDITIONS, (at) => ({
      [`metadata.absent${at}`]: { in: conditions(each, (value) => value + 1) },
    })),
  },
  columns: { OR: conditions(MAX_CONDITIONS, (at) => ({ custom_id: long(at).slice(0, 200) })) },
}

interface OpenApi {
  paths: Record<string, Record<string, { operationId?: string; parameters?: Parameter[] }>>
}
interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: { type?: string; enum?: string[]; maxLength?: number; maximum?: number; format?: string; pattern?: string }
}

/** Lists of the API with a `limit`, by their schemas: all that their parameters take, against `limit` alone. */
export function listRequests(): { name: string; median: LoadRequest; worst: LoadRequest }[] {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenApi
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters ?? []
    if (path.includes('{') || !parameters.some(({ name }) => name === 'limit')) return []
    if (path === '/v1/memory/items') return []
    const worst = new URLSearchParams({ limit: '100' })
    for (const { name, schema } of parameters) {
      const value = worstValue(name, schema)
      if (value !== null) worst.set(name, value)
    }
    return [
      {
        name: `GET ${path}`,
        median: { method: 'GET', path: `${path}?limit=100` },
        worst: { method: 'GET', path: `${path}?${worst}` },
      },
    ]
  })
}

/** The longest value, or the widest range, that a schema takes; null where an arbitrary one would be refused. */
function worstValue(
  name: string,
  { type, enum: names, maxLength, format, pattern }: Parameter['schema'],
): string | null {
  if (name === 'limit' || name === 'cursor' || pattern !== undefined) return null
  if (format === 'date-time') return name === 'until' ? '2100-01-01T00:00:00Z' : '2000-01-01T00:00:00Z'
  if (names) return names.at(-1) ?? null
  return type === 'string' && maxLength !== undefined ? 'x'.repeat(maxLength) : null
}

/** As many tags as a list takes besides its filters. */
export const worstList = (filter: unknown): URLSearchParams => {
  const query = new URLSearchParams({ limit: '100', filters: JSON.stringify(filter) })
  for (const tag of TAG_NAMES.slice(0, MAX_TAGS)) query.append('tags', tag)
  return query
}
