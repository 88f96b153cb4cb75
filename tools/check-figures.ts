import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The place of a figure in the code: a constant, by its name (`MAX_SOCKETS`) or, where several files have one of that name,
 * with its file (`src/events/outbox.ts#KEPT_MS`), or with a key of it (`WINDOW_MS.local`); or what the one group of a pattern finds in a file, with its unit.
 */
export type Source = string | [file: string, pattern: RegExp, unit?: Unit]
/** A phrase of a document, with # for each figure and … for any text, and the place of each figure in the code. */
export type Figure = [says: string, ...sources: Source[]]
/** Phrases with figures that are not in the code, by the reason. */
export type Exempt = [why: string, ...phrases: string[]]

type Unit = keyof typeof UNITS

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const UNITS = {
  ms: 1,
  s: 1_000,
  second: 1_000,
  seconds: 1_000,
  min: MINUTE,
  minute: MINUTE,
  minutes: MINUTE,
  h: HOUR,
  hour: HOUR,
  hours: HOUR,
  day: 24 * HOUR,
  days: 24 * HOUR,
  KiB: 1_024,
  MiB: 1_024 ** 2,
  '%': 0.01,
} as const
/** The unit of a constant's value, by the end of its name. */
const SUFFIXES: [RegExp, number][] = [
  [/_SECONDS$/, 1_000],
  [/_DAYS$/, 24 * HOUR],
]

const WORDS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen twenty'
).split(' ')
const TENS = { thirty: 30, forty: 40, fifty: 50, sixty: 60, 'a hundred': 100, 'a thousand': 1_000 }
const ORDINALS = { fourth: 4, eighth: 8, eleventh: 11 }
const VALUES = new Map<string, number>([
  ...WORDS.map((word, value): [string, number] => [word, value]),
  ...Object.entries({ ...TENS, ...ORDINALS, a: 1, an: 1 }),
])
const SPELT = [...VALUES.keys()].sort((a, b) => b.length - a.length).join('|')
const UNIT = Object.keys(UNITS)
  .sort((a, b) => b.length - a.length)
  .join('|')
const QUANTITY = `(\\d[\\d,_]*(?:\\.\\d+)?|(?:${SPELT})\\b)(?:[\\s-]*(${UNIT})(?!\\w))?`

/** Units and nouns in documents: a number before one is a figure that must be checked. */
const COUNTED =
  'KB|MB|GB|%|px|characters?|code points|bits|bytes|texts?|dimensions|namespaces|vectors|items|rows?|events|messages|' +
  'sockets|connections?|attempts|times|members|lines|operations|requests|searches|steps|channels|names|permits|hits|' +
  'candidates|deliveries|queues|databases|earlier texts|failures|instants|levels|retries'
const STATED = new RegExp(
  [
    `(?<![\\w§.,:/@-])(?:\\d[\\d,_]*(?:\\.\\d+)?|\\b(?:${SPELT.replaceAll(/\|(?:an?|one|zero)\b/g, '')}))[\\s-]*(?:${UNIT}|${COUNTED})(?![\\w-])`,
    '\\b\\d+\\.\\.\\d[\\d,]*',
    `\\b(?:up to|at most|at least|past|more than|default|maximum of|limit of)\\s+\\d[\\d,]*(?:\\.\\d+)?`,
    `\\d[\\d,]*\\s(?:a|per|/)\\s(?:ms|s|min|h|second|minute|hour|day|call|statement|page)\\b`,
  ].join('|'),
  'gi',
)

/** Figures of the documents that differ from the code, or that nothing checks: one line a fault. */
export function checkFigures(
  root: string,
  figures: Record<string, Figure[]>,
  exempt: Record<string, Exempt[]>,
): string[] {
  return [...new Set([...Object.keys(figures), ...Object.keys(exempt)])].flatMap((document) => {
    const path = join(root, document)
    if (!existsSync(path)) return [`${document} is absent`]
    // Of fenced blocks and links only the length counts.
    const text = readFileSync(path, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$|\]\([^)]*\)/gm, (hidden) =>
      hidden.replaceAll(/[^\n]/g, ' '),
    )
    const checked: [number, number][] = []
    const faults = (figures[document] ?? []).flatMap((figure) => checkFigure(root, text, figure, checked))
    for (const phrase of (exempt[document] ?? []).flatMap(([, ...phrases]) => phrases)) {
      const found = spans(text, phrase)
      if (found.length === 0) faults.push(`does not say "${phrase}" any more`)
      checked.push(...found.map((match): [number, number] => [match.index, match.index + match[0].length]))
    }
    const unchecked = [...text.matchAll(STATED)].filter(
      ({ index, 0: stated }) => !checked.some(([from, to]) => from < index + stated.length && index < to),
    )
    return [
      ...faults,
      ...unchecked.map(({ index, 0: stated }) => {
        const line = text.slice(0, index).split('\n').length
        return `line ${line}: nothing checks "${stated.replaceAll(/\s+/g, ' ')}" (tools/figures.ts)`
      }),
    ].map((fault) => `${document}: ${fault}`)
  })
}

function checkFigure(root: string, text: string, [says, ...sources]: Figure, checked: [number, number][]): string[] {
  const found = spans(text, says)
  if (found.length === 0) return [`does not say "${says}" any more`]
  const expected = sources.flatMap((source) => valuesOf(root, source))
  return found.flatMap((match) => {
    checked.push([match.index, match.index + match[0].length])
    const stated = [...Array(match.slice(1).length / 2).keys()].map((at) => ({
      number: numberOf(match[at * 2 + 1] ?? ''),
      unit: match[at * 2 + 2] as Unit | undefined,
    }))
    if (stated.length !== expected.length) return [`"${says}": the code has ${expected.length} figures`]
    return stated.flatMap(({ number, unit }, at) => {
      const [raw, factor, name] = expected[at] ?? [NaN, 1, '']
      const same = number === raw || (unit !== undefined && number * UNITS[unit] === raw * factor)
      return same ? [] : [`"${match[0].replaceAll(/\s+/g, ' ')}", but ${name} is ${raw}`]
    })
  })
}

function spans(text: string, phrase: string): RegExpExecArray[] {
  const pattern = phrase
    .split('#')
    .map((part) =>
      part
        .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll(/\s+/g, '\\s+')
        .replaceAll('…', '[^]*?'),
    )
    .join(QUANTITY)
  return [...text.matchAll(new RegExp(pattern, 'gi'))]
}

const numberOf = (text: string): number =>
  VALUES.get(text.toLowerCase().replaceAll(/\s+/g, ' ')) ?? Number(text.replaceAll(/[,_]/g, ''))

type Value = [raw: number, factor: number, name: string]

function valuesOf(root: string, source: Source): Value[] {
  if (typeof source !== 'string') {
    const [file, pattern, unit] = source
    const raw = pattern.exec(sourceOf(root, file))?.[1]
    return [
      [raw === undefined ? NaN : Number(raw.replaceAll('_', '')), unit ? UNITS[unit] : 1, `${pattern} of ${file}`],
    ]
  }
  const [path = '', file] = source.split('#').reverse()
  const [name = '', key] = path.split('.')
  const factor = SUFFIXES.find(([suffix]) => suffix.test(name))?.[1] ?? 1
  return constant(root, file ?? fileOf(root, name), name, key).map((raw) => [raw, factor, source])
}

/** The one file that declares a constant; the empty path where none or several do. */
function fileOf(root: string, name: string): string {
  const declares = new RegExp(`^(?:export )?const ${name}\\b`, 'm')
  const files = globSync('{src,client/src}/**/*.{ts,tsx}', { cwd: root }).filter((file) =>
    declares.test(sourceOf(root, file)),
  )
  return files.length === 1 ? (files[0] ?? '') : ''
}

/** A constant that is a product of numbers and other constants, an array of such, or an object; it may be imported. */
function constant(root: string, file: string, name: string, key?: string): number[] {
  const text = sourceOf(root, file)
  const found = new RegExp(
    `const ${name}(?:: [^=]+)? = (?:\\[([^\\]]+?),?\\s*\\]|([^\\[\\n]+?))(?: as const)?$`,
    'm',
  ).exec(text)
  const from = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '(.+)'`).exec(text)?.[1]
  const value = found?.[1] ?? found?.[2]
  if (value === undefined) return from === undefined ? [NaN] : constant(root, join(file, '..', from), name, key)
  if (key !== undefined) return [numberOf(new RegExp(`\\b${key}: ([\\d_]+)`).exec(value)?.[1] ?? 'nothing')]
  return value.split(',').map((product) =>
    product
      .split('*')
      .map((factor) => factor.trim())
      .map((factor) =>
        /^[A-Z]/.test(factor) ? (constant(root, file, factor)[0] ?? NaN) : Number(factor.replaceAll('_', '')),
      )
      .reduce((value, factor) => value * factor, 1),
  )
}

const sources = new Map<string, string>()
function sourceOf(root: string, file: string): string {
  const path = join(root, file)
  const text = sources.get(path) ?? (file !== '' && existsSync(path) ? readFileSync(path, 'utf8') : '')
  sources.set(path, text)
  return text
}
