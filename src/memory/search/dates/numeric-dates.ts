import { daysOf, everyYear, yearOf, type Days, type Yearly } from './calendar.ts'
import type { Place } from './place.ts'

/** `2023-05-08` and `2023-05`. */
export function isoDates(text: string): Place[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}.-])((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?(?![\p{N}-])/gu)].flatMap(
    ({ index, 0: whole, 1: year, 2: month, 3: day }) =>
      placeOf(index, whole, daysOf(Number(month) - 1, numberOrNull(day), Number(year))),
  )
}

/** The months of Chinese numerals, from January on. */
const NUMERALS = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二']

/** `2023年5月8日`, `5月`, `五月`, `2023년 5월`, `2023年`. A weekday such as `月曜日` is none. */
export function ideographicDates(text: string): Place[] {
  const dated = /(?<!\d)(?:((?:19|20)\d\d) ?[年년] ?)?(\d{1,2}) ?[月월](?!曜|요일)(?: ?(\d{1,2}) ?[日号號일])?/gu
  const years = /(?<!\d)((?:19|20)\d\d) ?[年년](?! ?[前전])/gu
  const named = /(?<![一二三四五六七八九十])(十[一二]?|[一二三四五六七八九])月(?!曜)/gu
  return [
    ...[...text.matchAll(dated)].flatMap(({ index, 0: whole, 1: year, 2: month, 3: day }) =>
      placeOf(index, whole, daysOf(Number(month) - 1, numberOrNull(day), numberOrNull(year))),
    ),
    ...[...text.matchAll(named)].flatMap(({ index, 0: whole, 1: month = '' }) =>
      placeOf(index, whole, everyYear(NUMERALS.indexOf(month), null)),
    ),
    ...[...text.matchAll(years)].flatMap(({ index, 0: whole, 1: year }) => placeOf(index, whole, yearOf(Number(year)))),
  ]
}

const placeOf = (at: number, whole: string, days: Days | Yearly | null): Place[] =>
  days ? [{ at, end: at + whole.length, days }] : []

const numberOrNull = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits))
