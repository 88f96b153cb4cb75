import { unsafeIntegerIn } from '../convert/integers.ts'
import { isObject } from '../convert/records.ts'
import { readJson } from '../read-json.ts'
import type { SearchMemory } from '../../index.ts'

export const MODES = ['hybrid', 'semantic', 'keyword'] as const
export type Mode = (typeof MODES)[number]

/** A line of the file: a question and the items that answer it. */
export interface Question {
  /** Such as `line 3`. */
  from: string
  query: string
  /** Ids and custom ids as the line names them; none: nothing that is stored answers it. */
  expected: string[]
  context: NonNullable<SearchMemory['context']>
  filters: SearchMemory['filters']
  reference_date: SearchMemory['reference_date']
}

/** A line that is not counted, and why. */
export interface LineError {
  from: string
  message: string
}

/** Of a `custom_id` (contract §3). */
const MAX_ID = 128

const FIELDS = new Set(['query', 'expected', 'context', 'filters', 'reference_date'])

/** Reads a line. `context` is that of a line without its own. Bounds of fields other than `expected` are left to the service. */
export function readQuestion(from: string, line: string, context: Question['context']): Question | LineError {
  const value = readJson(line)
  const message = faultOf(value, line)
  if (message !== null) return { from, message }
  const { query, expected, ...rest } = value as Pick<Question, 'query' | 'expected'> & Partial<Question>
  const { filters, reference_date } = rest
  return { from, query, expected: [...new Set(expected)], context: rest.context ?? context, filters, reference_date }
}

/** Ids of many lines are looked up in one call, which the service would refuse for one such id. */
const isId = (id: string): boolean => !/[\0\p{Cs}]/u.test(id) && Array.from(id.normalize('NFC')).length <= MAX_ID

/** A misspelt field is a fault: the line would measure something else without it. */
function faultOf(value: unknown, line: string): string | null {
  if (!isObject(value)) return 'it is not a JSON object'
  const unknown = Object.keys(value).find((name) => !FIELDS.has(name))
  if (unknown !== undefined) return `unknown field "${unknown}": a line has ${[...FIELDS].join(', ')}`
  const { query, expected, context = {}, filters = {}, reference_date: referenceDate = '' } = value
  if (typeof query !== 'string' || query.trim() === '') return 'query must be a text'
  if (!Array.isArray(expected) || !expected.every((id) => typeof id === 'string' && id !== ''))
    return 'expected must be a list of ids or custom ids; an empty list says that nothing answers the question'
  const badId = expected.findIndex((id: string) => !isId(id))
  if (badId >= 0)
    return `expected[${badId}] is not an id: an id has at most ${MAX_ID} characters, no NUL character and no lone surrogate`
  if (!isObject(context)) return 'context must be an object'
  if (!isObject(filters)) return 'filters must be an object'
  if (typeof referenceDate !== 'string') return 'reference_date must be a text'
  const unsafe = unsafeIntegerIn(line)
  return unsafe === undefined ? null : `JSON numbers do not keep ${unsafe} exactly: put it in quotes`
}
