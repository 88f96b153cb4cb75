import { BoundedMap } from '../values/bounded-map.ts'
import type { Query } from './query.ts'
import type { SqlValue } from './sql-value.ts'

/** Values by name: `:project` in a statement takes the value `project`. */
export type Params = Readonly<Record<string, SqlValue>>

/** A part of a statement with the values for its names. */
export interface Sql {
  readonly sql: string
  readonly params: Params
}

/** D1 binds no more (architecture §9). */
export const MAX_PARAMETERS = 100
/** Clients choose the filters of a search and so its text, so an isolate forgets the oldest of many. */
const MAX_STATEMENTS = 1_000

/**
 * Makes a part of a statement. A part that several statements use begins its names with a word of its own, so that they
 * cannot mean a value of the statement around it.
 */
export const sql = (text: string, params: Params): Sql => ({ sql: text, params })

/** A condition that holds. */
export const ALWAYS: Sql = sql('1', {})

/** All of the conditions hold. */
export const and = (...conditions: readonly Sql[]): Sql =>
  conditions.length === 0
    ? ALWAYS
    : {
        sql: conditions.map((one) => `(${one.sql})`).join(' and '),
        params: joined(...conditions.map(({ params }) => params)),
      }

/** The condition that a query has a row. */
export const exists = ({ sql: text, params }: Sql): Sql => sql(`exists (${text})`, params)

/** The values of several parts as those of one statement. Throws where two of them give one name different values. */
export function joined(...parts: readonly Params[]): Params {
  const all: Record<string, SqlValue> = {}
  for (const params of parts) {
    for (const [name, value] of Object.entries(params)) {
      if (Object.hasOwn(all, name) && all[name] !== value) throw new Error(`:${name} has two values`)
      all[name] = value
    }
  }
  return all
}

/** What is quoted and stays as it is, a comment, a name, a parameter without a name, a sign, and space. */
const TOKENS = /('[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\])|--.*|\/\*[^]*?\*\/|(?<!:):(\w+)|(\?)|\s*([(),=<>|])\s*|\s+/g

/**
 * Numbers the parameters of a text in their order, since D1 binds no names. A plus stands before each: SQLite then compiles
 * a statement once and not again for each value, and a search takes a fifth less time. Space that SQLite does not need goes:
 * D1 gets the text with each call, and a kilobyte of it costs as much as a look-up.
 */
export function compile(text: string): { sql: string; names: string[] } {
  const names: string[] = []
  const compiled = text.replaceAll(TOKENS, (_, quoted?: string, name?: string, numbered?: string, sign?: string) => {
    if (quoted !== undefined) return quoted
    if (sign !== undefined) return sign
    if (numbered !== undefined) throw new Error(`a parameter without a name: ${text}`)
    if (name === undefined) return ' '
    if (!/^[a-z_]+$/.test(name)) throw new Error(`:${name} has other characters than a-z and _`)
    if (!names.includes(name)) names.push(name)
    return `+?${names.indexOf(name) + 1}`
  })
  if (names.length > MAX_PARAMETERS) throw new Error(`${names.length} parameters are more than ${MAX_PARAMETERS}`)
  return { sql: compiled, names }
}

const statements = new BoundedMap<string, Query<Params, unknown>>(MAX_STATEMENTS)

/** The statement of a text with `:names`. An isolate compiles a text once, for all of its databases. */
export const statementOf = (text: string): Query<Params, unknown> => statements.getOrMake(text, named)

function named(text: string): Query<Params, unknown> {
  const { sql: compiled, names } = compile(text)
  let hasRun = false
  return {
    sql: compiled,
    values(params) {
      // The caller of a text gives the same values in each of its runs.
      const other = hasRun ? undefined : Object.keys(params).find((name) => !names.includes(name))
      if (other !== undefined) throw new Error(`no :${other} in ${text}`)
      hasRun = true
      return names.map((name) => {
        const value = params[name]
        if (value === undefined) throw new Error(`no value for :${name} in ${text}`)
        return value
      })
    },
  }
}
