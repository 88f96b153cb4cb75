import type { Constants } from './constants.ts'

/**
 * A figure of a document has a marker behind it on its line: a comment with the constant that it repeats, `<!-- MAX_TAGS -->`,
 * or with one for each of several figures (`-` where there is none). A rate limit is two: "5 a minute<!-- LIMITS.login -->".
 * A reason in place of a name exempts what stands before it on its line, and below a heading the section.
 */
const MARKER = /<!-- ([\w#./ -]+) -->/g
/** Why the code does not have a figure. */
const REASONS = ['measured', 'platform', 'estimate', 'promise', 'example']

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UNITS: Record<string, number> = {
  ms: 1,
  s: SECOND,
  second: SECOND,
  seconds: SECOND,
  min: MINUTE,
  minute: MINUTE,
  minutes: MINUTE,
  h: HOUR,
  hour: HOUR,
  hours: HOUR,
  day: DAY,
  days: DAY,
  '%': 0.01,
  KB: 1_024,
  KiB: 1_024,
  MB: 1_024 ** 2,
  MiB: 1_024 ** 2,
  GB: 1_024 ** 3,
  GiB: 1_024 ** 3,
}
/** Every other constant is a number, or in milliseconds or bytes. */
const SUFFIXES: Record<string, number> = { _SECONDS: SECOND, _DAYS: DAY }
const DIGITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen twenty'
const SPELT: Record<string, number> = {
  ...Object.fromEntries(DIGITS.split(' ').map((word, value) => [word, value])),
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  'a hundred': 100,
  'a thousand': 1_000,
}
const oneOf = (words: string[]): string => words.toSorted((a, b) => b.length - a.length).join('|')
const UNIT = `(?:${oneOf(Object.keys(UNITS))})(?!\\w)`
const NUMBER = `(?:(?![01]\\.\\.)\\d[\\d,_]*(?:\\.\\d+)?|\\b(?:${oneOf(Object.keys(SPELT))})\\b)`
/** A number, a number with its unit, or one of a unit: "an hour", "per minute", "/ s". */
const QUANTITY = new RegExp(`(${NUMBER})(?:[\\s-]*(${UNIT}))?|(?:\\ban?|\\bper|/)\\s(${UNIT})`, 'gi')

const COUNTED =
  'px|characters?|code points|bits|bytes|texts?|dimensions|namespaces|vectors|items|rows?|events|messages|' +
  'sockets|connections?|attempts|times|members|lines|operations|requests|searches|steps|channels|names|permits|hits|' +
  'candidates|deliveries|queues|databases|earlier texts|failures|instants|levels|retries'
/** What must have a marker: a number with a unit or a noun of these, behind a bound, or per a time. */
const STATED = new RegExp(
  [
    `(?<![\\w§.,:/@-])(?!(?:zero|one)\\b)${NUMBER}[\\s-]*(?:${UNIT}|(?:${COUNTED})(?![\\w-]))`,
    '\\b\\d+\\.\\.\\d[\\d,]*',
    '\\b(?:up to|at most|at least|past|more than|default|maximum of|limit of)\\s+\\d[\\d,]*(?:\\.\\d+)?',
    `\\d[\\d,]*\\s(?:a|per|/)\\s(?:${UNIT}|call|statement|page)\\b`,
  ].join('|'),
  'gi',
)

/** Figures of a document that the code does not have, and figures without a marker: one line a fault. */
export function checkFigures(constants: Constants, document: string, source: string): string[] {
  // Of fenced blocks and links only the length counts.
  const text = source.replaceAll(/^ *```[\s\S]*?^ *```$|\]\([^)]*\)/gm, (hidden) => hidden.replaceAll(/[^\n]/g, ' '))
  const checked: [from: number, to: number][] = []
  const faults: [at: number, fault: string][] = []
  let end = 0
  for (const { index, 0: marker, 1: content = '' } of text.matchAll(MARKER)) {
    const names = content.split(' ')
    const start = Math.max(end, text.lastIndexOf('\n', index) + 1)
    end = index + marker.length
    if (names.every((name) => REASONS.includes(name)))
      checked.push(start === index ? section(text, index) : [start, index])
    if (!names.some((name) => /[A-Z]{2}|#/.test(name))) continue
    const expected = names.flatMap((name) => valuesOf(constants, name))
    const stated = [...text.slice(start, index).matchAll(QUANTITY)].slice(-expected.length)
    checked.push([start + (stated[0]?.index ?? 0), index])
    if (expected.some(([value]) => value === undefined)) faults.push([index, `no constant, or several: ${content}`])
    else if (!expected.every((value, at) => isSame(stated[at], value)))
      faults.push([
        index,
        `"${stated.map(([figure]) => figure).join(', ')}", but ${content} is ${expected.map(([value]) => value).join(', ')}`,
      ])
  }
  for (const { index, 0: stated } of text.matchAll(STATED))
    if (!checked.some(([from, to]) => from < index + stated.length && index < to))
      faults.push([index, `"${stated}" has no marker`])
  return faults.map(
    ([at, fault]) => `${document}:${text.slice(0, at).split('\n').length}: ${fault.replaceAll(/\s+/g, ' ')}`,
  )
}

/** From a place to the next heading that is no deeper than the last one. */
function section(text: string, from: number): [number, number] {
  const level = [...text.slice(0, from).matchAll(/^#+(?= )/gm)].at(-1)?.[0].length ?? 1
  const length = text.slice(from).search(new RegExp(`^#{1,${level}} `, 'm'))
  return [from, length === -1 ? text.length : from + length]
}

type Value = [value: number | '-' | undefined, factor: number]

/** Each number behind a name: one, those of a list, or the number and the window of a limit. */
function valuesOf(constants: Constants, name: string): Value[] {
  if (name === '-') return [[name, 1]]
  const value = constants(name)
  const limit = value as { limit?: number; windowMs?: number } | undefined
  const all = limit?.windowMs === undefined ? [value].flat() : [limit.limit, limit.windowMs]
  const factor = SUFFIXES[/_[A-Z]+$/.exec(name)?.[0] ?? ''] ?? 1
  return all.map((number) => [Number.isFinite(number) ? (number as number) : undefined, factor])
}

function isSame(stated: RegExpExecArray | undefined, [value = NaN, factor]: Value): boolean {
  if (value === '-') return stated !== undefined
  const [, text = '1', unit, unitOfOne] = stated ?? []
  const number = SPELT[text.toLowerCase()] ?? Number(text.replaceAll(/[,_]/g, ''))
  const scale = UNITS[unit ?? unitOfOne ?? ''] ?? NaN
  return (stated?.[1] !== undefined && number === value) || Math.abs(number * scale - value * factor) < 1e-9
}
