const MONTHS = 'january february march april may june july august september october november december'.split(' ')

/** `seconds` after an instant, so that the turns of a session keep their order. */
export const later = (instant: string | null, seconds: number): string | null =>
  instant === null ? null : new Date(Date.parse(instant) + seconds * 1_000).toISOString()

/** The published times have no zone: they are read as UTC. */
function utc(text: string, year: string, month: number, [day, hours, minutes, seconds]: number[]): string {
  const at = new Date(Date.UTC(Number(year), month - 1, day, hours ?? 0, minutes ?? 0, seconds ?? 0))
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) throw new Error(`not a date: ${text}`)
  return at.toISOString()
}

const partsOf = (form: RegExp, text: string): string[] => {
  const match = form.exec(text.trim())
  if (!match) throw new Error(`not a date: ${text}`)
  return match.slice(1)
}

const monthOf = (name: string): number => MONTHS.indexOf(name.toLowerCase()) + 1

/** `2023/05/20 (Sat) 02:21` */
export function longMemEvalTime(text: string): string {
  const [year = '', month, ...rest] = partsOf(/^(\d{4})\/(\d\d)\/(\d\d) \(\w+\) (\d\d):(\d\d)$/, text)
  return utc(text, year, Number(month), rest.map(Number))
}

/** `1:56 pm on 8 May, 2023` */
export function locomoTime(text: string): string {
  const form = /^(\d{1,2}):(\d\d) (am|pm) on (\d{1,2}) (\w+),? (\d{4})$/i
  const [hours, minutes, half, day, month = '', year = ''] = partsOf(form, text)
  const hour = (Number(hours) % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0)
  return utc(text, year, monthOf(month), [Number(day), hour, Number(minutes)])
}

/** `29.12.2023, 19:42:17` */
export function realTalkTime(text: string): string {
  const form = /^(\d\d)\.(\d\d)\.(\d{4}), (\d\d):(\d\d):(\d\d)$/
  const [day, month, year = '', ...clock] = partsOf(form, text)
  return utc(text, year, Number(month), [Number(day), ...clock.map(Number)])
}

/** `March-15-2024` */
export function beamTime(text: string): string {
  const [month = '', day, year = ''] = partsOf(/^(\w+)-(\d{1,2})-(\d{4})$/, text)
  return utc(text, year, monthOf(month), [Number(day)])
}
