import { BACKLOG_KINDS } from '../../src/reference/backlogs.ts'
import { system } from './world.ts'
import { Database } from '../../src/core/database/database.ts'

/** The rows that a statement may answer: what it limits itself to, else one. */
const limitOf = (sql: string): number =>
  Math.max(1, ...[...sql.matchAll(/\blimit (\d[\d_]*)/gi)].map(([, limit]) => Number(limit)))

/** The record of a keyword index with the segment `1:1:1`, which has a page of deleted texts (`src/memory/keyword/segments.ts`). */
const ONE_SEGMENT = '00000000FF00000101010000010100000101010000'

/** A row with a value in every column that code asks for. Ids and owners are all different, JSON is empty. */
function row(_: unknown, number: number): unknown {
  return new Proxy(
    {},
    {
      get: (_, column) => {
        if (typeof column !== 'string' || column === 'then') return undefined
        if (column === 'row' || column === 'attempts' || column === 'entitled') return column === 'row' ? '{}' : 1
        if (/^at$|_at$|count|waiting|bytes|requests|size|notify|ends_at|version/.test(column)) return 1
        if (column === 'settings') return `[${number}]`
        if (column === 'unreached' || column === 'filters' || column === 'permissions') return null
        if (/^(channels|event_types|scopes)$/.test(column)) return '["memory"]'
        if (column === 'data') return '{}'
        if (column === 'rows') return '[]'
        if (column === 'segments') return '["1:1:1"]'
        if (column === 'block') return ONE_SEGMENT
        if (column === 'page_id') return `aud_01${String(number).padStart(24, '0')}`
        // What is counted of each kind of work.
        if (BACKLOG_KINDS.some((kind) => kind === column)) return '[1,null]'
        return `${column}-${number}`
      },
    },
  )
}

const ROWS = Array.from({ length: 2_000 }, row)

/** What every statement did, and a database that has always more to do: each statement answers as many rows as it may. */
export function bottomless() {
  const asked: string[] = []
  const answer = (sql: string) => {
    asked.push(sql)
    if (asked.length > 5_000) throw new Error(`no end: ${sql}`)
    const results = ROWS.slice(0, limitOf(sql))
    return { results, success: true, meta: { rows_read: 0, rows_written: 0, size_after: 0 } }
  }
  const statement = (sql: string) => {
    const own = { sql, bind: () => own, all: async () => answer(sql) }
    return own
  }
  const d1 = {
    prepare: statement,
    batch: async (all: { sql: string }[]) => all.map(({ sql }) => answer(sql)),
  }
  const database = (shard: string) => new Database(d1 as unknown as D1Database, shard)
  return { asked, databases: { ...system, database, auditDatabase: database } }
}
