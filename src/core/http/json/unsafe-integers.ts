import { AppError, type FieldError } from '../../errors.ts'
import { MAX_ERRORS, shownKey } from '../error-size.ts'
import { endOfString } from './json-string.ts'

/** Fewer digits are exact in every JSON number. */
const SIXTEEN_DIGITS = /\d{16}/
const LARGEST = String(Number.MAX_SAFE_INTEGER)
/** An error body has no room for longer paths. */
const MAX_SHOWN_DEPTH = 64

/** Of every operation that takes JSON of a client's own (`EndpointSpec.refusals`). */
export const UNSAFE_INTEGER = {
  unsafe_integer: `an integer beyond ±${LARGEST} is sent without a point and an exponent`,
}

/** An object or a list around the position. `key`: the member, as JSON or as a position; null before a name. */
interface Place {
  key: string | number | null
}

/**
 * Walks over each integer that JSON.parse changes: two ids of 64 bits would become one. A number with a point or an
 * exponent promises no digits. `json` is valid; each path is of use until the next one.
 */
export function* unsafeIntegers(json: string): Generator<readonly Place[]> {
  if (!SIXTEEN_DIGITS.test(json)) return
  const places: Place[] = []
  for (let at = 0; at < json.length; at += 1) {
    const place = places.at(-1)
    const char = json.charAt(at)
    if (char === '"') {
      const end = endOfString(json, at)
      if (place?.key === null) place.key = json.slice(at, end)
      at = end - 1
    } else if (char === '{') places.push({ key: null })
    else if (char === '[') places.push({ key: 0 })
    else if (char === '}' || char === ']') places.pop()
    else if (char === ',' && place) place.key = typeof place.key === 'number' ? place.key + 1 : null
    else if (char >= '0' && char <= '9') {
      const end = endOfNumber(json, at)
      if (isUnsafe(json.slice(at, end))) yield places
      at = end - 1
    }
  }
}

function endOfNumber(json: string, start: number): number {
  let end = start
  while ('0123456789.eE+-'.includes(json[end] ?? ' ')) end += 1
  return end
}

const isUnsafe = (number: string): boolean =>
  (number.length > LARGEST.length || (number.length === LARGEST.length && number > LARGEST)) && !/[.eE]/.test(number)

/** The fault of one of `unsafeIntegers`. Its path begins behind `above` names. */
export function unsafeIntegerAt(places: readonly Place[], above = 0): FieldError {
  const names = places.slice(above, above + MAX_SHOWN_DEPTH).map((place) => shownKey(nameOf(place)))
  const path = names.join('.')
  const fault = `is an integer that JSON numbers do not keep exactly (beyond ±${LARGEST}): send it as a string.`
  return { path, code: 'unsafe_integer', message: `${path === '' ? 'The input' : path} ${fault}` }
}

const nameOf = ({ key }: Place): string => (typeof key === 'string' ? String(JSON.parse(key)) : String(key))

/** Whether an integer stands below these members. */
export const isBelow = (places: readonly Place[], names: readonly string[]): boolean =>
  places.length >= names.length && names.every((name, at) => nameOf(places[at] ?? { key: null }) === name)

/** 422 where there is one of these integers. Paths begin behind `above` names. */
export function refuseIntegers(found: Iterable<readonly Place[]>, above = 0): void {
  const errors: FieldError[] = []
  let omitted = 0
  for (const places of found) {
    if (errors.length < MAX_ERRORS) errors.push(unsafeIntegerAt(places, above))
    else omitted += 1
  }
  if (errors.length > 0) throw refusal(errors, omitted)
}

/** The same for one of them. */
export const unsafeInteger = (places: readonly Place[], above = 0): AppError =>
  refusal([unsafeIntegerAt(places, above)])

const refusal = (errors: FieldError[], errorsOmitted = 0): AppError =>
  new AppError('validation_failed', { detail: errors[0]?.message ?? '', errors, errorsOmitted })
