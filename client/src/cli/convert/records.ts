import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { readJson } from '../read-json.ts'
import type { LeftOut } from './line.ts'

type Fields = Record<string, unknown>

export const isObject = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * The records of an export: a JSON array, an object with lists under some of `lists`, of which some may be empty, or JSON
 * lines of records or of such objects, as pages saved one after another. A list under another name is left out.
 */
export function recordsOf(text: string, lists: readonly string[]): ({ from: string; record: unknown } | LeftOut)[] {
  const whole = readJson(text)
  const values = whole === undefined ? parseLines(text) : [whole]
  const records = values.flatMap((value) => inside(value, lists))
  const others = values.flatMap((value) => otherLists(value, lists))
  return [...records.map((record, n) => ({ from: `record ${n + 1}`, record })), ...others]
}

function inside(value: unknown, lists: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => inside(each, lists))
  const found = listsIn(value, lists)
  return found.length > 0 ? found.flat() : [value]
}

const listsIn = (value: unknown, lists: readonly string[]): unknown[][] =>
  isObject(value) ? lists.map((name) => value[name]).filter(Array.isArray) : []

/** Such as the relations of a graph. */
function otherLists(value: unknown, lists: readonly string[]): LeftOut[] {
  if (!isObject(value) || listsIn(value, lists).length === 0) return []
  return Object.entries(value).flatMap(([name, list]): LeftOut[] =>
    Array.isArray(list) && list.length > 0 && !lists.includes(name)
      ? [{ from: name, reason: 'no memories', kind: 'outside' }]
      : [],
  )
}

function parseLines(text: string): unknown[] {
  return text.split('\n').flatMap((line, n) => {
    if (line.trim() === '') return []
    const value = readJson(line)
    if (value !== undefined) return [value]
    throw new Failure(EXIT.invalid, `The export is neither JSON nor JSON Lines: line ${n + 1} cannot be read.`)
  })
}

/** A record's fields; null where it is not an object. */
export const fieldsOf = (record: unknown): Fields | null => (isObject(record) ? record : null)

export const textOf = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value.trim() !== '')

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The objects of a list. */
export const objectsOf = (value: unknown): Fields[] => listOf(value).filter(isObject)

export const metadataOf = (value: unknown): Fields => (isObject(value) ? value : {})
