/** @module-tag long */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { compile } from '../../../src/core/database/sql.ts'
import type { StatementCall } from '../../support/statement-calls.ts'
import { statementCalls as ownCalls } from './faulty-statements.ts?statements'

const modules = import.meta.glob<StatementCall[]>('../../../src/**/*.{ts,tsx}', {
  query: '?statements',
  import: 'statementCalls',
  eager: true,
})

/** What a call gets from the function in which it stands. As a text it is a condition that holds. */
class Local {
  wasText = false
  /** Its members were listed. */
  wasListed = false
  readonly value: unknown = new Proxy(() => this.value, {
    get: (_, key) => {
      if (key !== Symbol.toPrimitive) return key === Symbol.iterator ? [][Symbol.iterator] : this.value
      this.wasText = true
      return () => '1'
    },
    ownKeys: (target) => {
      this.wasListed = true
      return Reflect.ownKeys(target)
    },
    apply: () => this.value,
  })
}

/** A fault of the SQL of a call; null: it has none. Undefined: it is known only when the function runs. */
async function faultOf(call: StatementCall): Promise<string | null | undefined> {
  const [inText, inValues] = [new Local(), new Local()]
  const text = orUndefined(() => call.text(inText.value))
  if (typeof text === 'object' && text !== null && 'sql' in text)
    return explained(String(text.sql), String(text.sql).split('+?').length - 1)
  // A path of the router and the name of a field have no blank.
  if (typeof text !== 'string' || !text.includes(' ')) return undefined
  const isWhole = !inText.wasText && !inText.wasListed
  const compiled = isWhole ? compile(text) : orUndefined(() => compile(text))
  const names = orUndefined(() => call.names(inValues.value))
  if (!compiled) return undefined
  const other = isWhole ? names?.find((name) => !compiled.names.includes(name)) : undefined
  if (other !== undefined) return `no :${other} in the text`
  if (call.isPart) return undefined
  const absent = inValues.wasListed ? undefined : compiled.names.find((name) => names?.includes(name) === false)
  if (absent !== undefined) return `no value for :${absent}`
  const fault = await explained(compiled.sql, compiled.names.length)
  return isWhole || fault === null || /no such (column|table): (?!undefined)/.test(fault) ? fault : undefined
}

function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Lets the migrated databases compile a statement, the one of audit rows where the other has no such table. */
async function explained(sql: string, parameters: number): Promise<string | null> {
  const faultIn = async (database: D1Database): Promise<string | null> => {
    const statement = database.prepare(`explain ${sql}`)
    const bound = parameters > 0 ? statement.bind(...Array.from({ length: parameters }, () => null)) : statement
    return bound.all().then(() => null, String)
  }
  const fault = await faultIn(env.DB)
  return fault?.includes('no such table') && (await faultIn(env.AUDIT_DB)) === null ? null : fault
}

test('every statement compiles in a migrated database, and has a value for each of its names and no other', async () => {
  const faults: string[] = []
  let compiled = 0
  for (const [file, calls] of Object.entries(modules))
    for (const call of calls) {
      const fault = await faultOf(call)
      if (fault === null) compiled += 1
      else if (fault !== undefined) faults.push(`${file}: ${call.source}: ${fault}`)
    }
  expect(faults).toEqual([])
  expect(compiled).toBeGreaterThan(300)
})

test('an unknown table or column, a name without a value and a value without a name are faults', async () => {
  const faults = await Promise.all(ownCalls.map(faultOf))
  expect(faults).toEqual([
    null,
    null,
    null,
    null,
    null,
    undefined,
    expect.stringContaining('no such column: colour'),
    expect.stringContaining('near "selec": syntax error'),
    expect.stringContaining('no such table: nowhere'),
    expect.stringContaining('no such column: shape'),
    'no value for :id',
    'no :name in the text',
    'no :name in the text',
    'no value for :id',
    'no :name in the text',
    // The constants.
    undefined,
    expect.stringContaining('no such column: colour'),
  ])
})
