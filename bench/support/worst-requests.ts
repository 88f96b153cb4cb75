import { readFileSync } from 'node:fs'
import { MAX_CONDITIONS, MAX_FILTER_CHARACTERS, MAX_VALUES } from '../../src/memory/filter/filter.ts'
import { MAX_TAGS, MAX_TEXT_CHARACTERS } from '../../src/memory/item.ts'
import type { LoadRequest } from './load.ts'

/** Tags of the seeded items. */
export const TAG_NAMES = Array.from({ length: 200 }, (_, at) => `tag ${at} ${'x'.repeat(12)}`)
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

/** An item at the bounds of its text, its metadata and its tags. */
export const largestItem = (text: string): Record<string, unknown> => ({
  content: { text: text.slice(0, MAX_TEXT_CHARACTERS), metadata: { pad: 'x'.repeat(16_000) } },
  tags: TAG_NAMES.slice(0, MAX_TAGS),
})

/** An item with as much metadata as it may have, and a number of its own. */
export const heavyItem = (at: number, text: string): Record<string, unknown> => ({
  op: 'store',
  content: { text, metadata: { n: at, pad: 'x'.repeat(16_000) } },
})

/** The usual filters of a client, which half of the items or fewer pass. */
export const MEDIAN_FILTER = { tags: TAG_NAMES.slice(0, 8), 'metadata.priority': { '>=': 2 } }

const conditions = <T>(count: number, one: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => one(at))
const each = MAX_VALUES / MAX_CONDITIONS
/** With the one absent tag beside them all values that a filter may have. */
const others = (2 * MAX_VALUES) / MAX_CONDITIONS - 1
const tagsAt = (at: number): string[] =>
  conditions(others, (tag) => TAG_NAMES[(at * others + tag) % TAG_NAMES.length] ?? '')
const long = (at: number): string => `${at} `.padEnd(MAX_FILTER_CHARACTERS, 'v')

/** Filters at every bound of the schema, which no item passes, so that each condition is looked at for each item. */
export const WORST_FILTERS: Record<string, unknown> = {
  'tags, any': {
    OR: conditions(MAX_CONDITIONS / 2, (at) => ({ tags: tagsAt(at), AND: [{ tags: [`absent ${at}`] }] })),
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

/** As many conditions as may be, of which the last one alone finds items: those with the tag `gone`. */
export const WORST_DELETION = {
  OR: [
    ...conditions(MAX_CONDITIONS - 1, (at) => ({ [`metadata.m${at % 11}`]: { '>': `absent ${at}` } })),
    { tags: ['gone'] },
  ],
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

/**
 * Lists of the API with a `limit`, by their schemas: all that their parameters take, against `limit` alone. `ids`: by the
 * beginning of a path, the id that stands in it.
 */
export function listRequests(
  ids: Readonly<Record<string, string>>,
): { name: string; median: LoadRequest; worst: LoadRequest }[] {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenApi
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters ?? []
    if (!parameters.some(({ name }) => name === 'limit')) return []
    // The list of items has requests of its own, and an operator has no session.
    if (path === '/v1/memory/items' || path.startsWith('/v1/operator')) return []
    const filled = path.replace(/\{\w+\}/, () => ids[path.split('/{')[0] ?? ''] ?? '')
    const worst = new URLSearchParams({ limit: '100' })
    for (const { name, schema, in: place } of parameters) {
      if (place !== 'query') continue
      // A list of namespaces is that of one project.
      const value = path === '/v1/memory/namespaces' && name === 'project_id' ? null : worstValue(name, schema)
      if (value !== null) worst.set(name, value)
    }
    return [
      {
        name: `GET ${path}`,
        median: { method: 'GET', path: `${filled}?limit=100` },
        worst: { method: 'GET', path: `${filled}?${worst}` },
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
