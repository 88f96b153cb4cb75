// The words for times in fifteen languages, by `Intl` and by lists: `npm run docs` writes them into the service, since asking
// `Intl` for them costs a first search 40 ms.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UNITS } from '../../src/memory/search/dates/calendar.ts'
import { folded } from '../../src/memory/search/dates/folded.ts'
import {
  FURTHER_MONTHS,
  FURTHER_PHRASES,
  FURTHER_SHORT_MONTHS,
  LANGUAGES,
  NUMBER_WORDS,
  UNSPACED,
  type Language,
} from './languages.ts'

export const PHRASES = 'src/memory/search/dates/phrase-lists.ts'

/** Enough of them for each plural form of the languages. */
const SAMPLE_COUNTS = [1, 2, 3, 5, 11, 21]
/** Today, yesterday, the day before. */
const NAMED_COUNTS = [0, 1, 2]
const MONTHS = Array.from({ length: 12 }, (_, month) => month)

/** `unit count text`. */
function fixedOf(language: Language): string[] {
  const named = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const counting = new Intl.RelativeTimeFormat(language)
  const all = UNITS.flatMap((unit) => [
    ...NAMED_COUNTS.map((count) => ({ unit, count, text: named.format(-count, unit) })),
    // Arabic has words for one and two units.
    ...SAMPLE_COUNTS.map((count) => ({ unit, count, text: counting.format(-count, unit) })),
  ])
  const further = FURTHER_PHRASES[language].flatMap(([text, unit, count]) =>
    count === undefined ? [] : [{ unit, count, text }],
  )
  return [...all.filter(({ text }) => !/\d/.test(text)), ...further].flatMap(({ unit, count, text }) =>
    spellings(language, text).map((spelling) => `${unit} ${count} ${spelling}`),
  )
}

/** `unit text`, with `#` where the number stands. */
function countedOf(language: Language): string[] {
  const counting = new Intl.RelativeTimeFormat(language)
  const all = UNITS.flatMap((unit) => SAMPLE_COUNTS.map((count) => ({ unit, text: counting.format(-count, unit) })))
  const patterns = all.flatMap(({ unit, text }) => (/\d/.test(text) ? [{ unit, text: text.replace(/\d+/, '#') }] : []))
  const further = FURTHER_PHRASES[language].flatMap(([text, unit, count]) =>
    count === undefined ? [{ unit, text }] : [],
  )
  return [...patterns, ...further].flatMap(({ unit, text }) =>
    spellings(language, text).map((spelling) => `${unit} ${spelling}`),
  )
}

/** As a question writes it: where a language needs no blanks, with and without. */
function spellings(language: Language, text: string): string[] {
  const plain = folded(text.normalize('NFC'))
  return UNSPACED.has(language) ? [plain, plain.replaceAll(' ', '')] : [plain]
}

/** `number word`. */
const numbersOf = (language: Language): string[] =>
  NUMBER_WORDS[language]
    .split(' ')
    .flatMap((forms, at) => forms.split('/').map((form) => `${at + 1} ${form.normalize('NFC')}`))

/** `month language name`, from 0. */
function monthsOf(language: Language, month: 'short' | 'long'): string[] {
  const forms: Intl.DateTimeFormatOptions[] =
    month === 'short' ? [{ day: 'numeric', month }] : [{ month }, { day: 'numeric', month }]
  const names = forms.flatMap((form) => {
    const format = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' })
    return MONTHS.map((at) => {
      const part = format.formatToParts(Date.UTC(2024, at, 1)).find(({ type }) => type === 'month')
      return { at, name: part?.value ?? '' }
    })
  })
  return [...names, ...furtherMonths(language, month)]
    .map(({ at, name }) => ({ at, name: folded(name.normalize('NFC')).replaceAll(/[.॰]/g, '') }))
    .filter(({ name }) => !/[\d\p{Script=Han}]/u.test(name))
    .map(({ at, name }) => `${at} ${language} ${name}`)
}

const furtherMonths = (language: Language, month: 'short' | 'long'): { at: number; name: string }[] =>
  month === 'long'
    ? (FURTHER_MONTHS[language]?.split(' ') ?? []).map((name, at) => ({ at, name }))
    : FURTHER_SHORT_MONTHS.flatMap(([of, at, name]) => (of === language ? [{ at, name }] : []))

function source(): string {
  const list = (comment: string, name: string, lines: readonly string[]): string =>
    `/** ${comment} */\nexport const ${name} = \`\n${[...new Set(lines)].join('\n')}\n\`\n`
  const long = LANGUAGES.flatMap((language) => monthsOf(language, 'long'))
  const short = LANGUAGES.flatMap((language) => monthsOf(language, 'short')).filter((line) => !long.includes(line))
  return [
    '/** `npm run docs` writes these lists, from tools/dates/. A line ends with a phrase, already folded. */\n',
    list('The unit, how many of them ago, and the phrase.', 'FIXED', LANGUAGES.flatMap(fixedOf)),
    list('The unit, and the phrase with `#` for the number.', 'COUNTED', LANGUAGES.flatMap(countedOf)),
    list('Numbers in words.', 'NUMBERS', LANGUAGES.flatMap(numbersOf)),
    list('Months, from 0, with their language and whole name.', 'MONTHS', long),
    list('Months with a short name, which other languages may use for other words.', 'SHORT_MONTHS', short),
  ].join('\n')
}

export const writePhrases = (root: string): void => writeFileSync(join(root, PHRASES), source())

export const phrasesAreCurrent = (root: string): boolean => readFileSync(join(root, PHRASES), 'utf8') === source()
