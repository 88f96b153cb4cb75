import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'

/** Fewer digits are exact in every JSON number. */
const SIXTEEN_DIGITS = /\d{16}/
/** The strings and numbers of JSON. Strings are matched so that their digits stay. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

const TO_TEXTS = 'To import such integers as texts, use --numbers-as-text.'

/** The same JSON with texts for the integers that a JSON number does not keep exactly, which the service refuses. */
export const integersAsTexts = (json: string): string =>
  SIXTEEN_DIGITS.test(json)
    ? json.replace(STRING_OR_NUMBER, (part) => (part.startsWith('"') || !isUnsafe(Number(part)) ? part : `"${part}"`))
    : json

const isUnsafe = (value: number): boolean => Number.isInteger(value) && !Number.isSafeInteger(value)

/** JSON of a value that may have integers of any size. A failure names `from` where one is not kept as it is. */
export const exactJson = (from: string, value: unknown, asTexts = false): string =>
  JSON.stringify(value, (key, member: unknown) => {
    if (typeof member !== 'number' && typeof member !== 'bigint') return member
    const isExact = typeof member === 'bigint' ? Number.isSafeInteger(Number(member)) : !isUnsafe(member)
    // JSON has no infinity.
    if (isExact) return Number.isFinite(Number(member)) ? Number(member) : String(member)
    if (asTexts) return String(member)
    const fault = 'is an integer that JSON numbers do not keep exactly'
    throw new Failure(EXIT.invalid, `${from}: "${key}" ${fault} (${member}).`, { hint: TO_TEXTS })
  })

/** The first integer of valid JSON that a JSON number does not keep exactly. */
export const unsafeIntegerIn = (json: string): string | undefined =>
  SIXTEEN_DIGITS.test(json)
    ? json.match(STRING_OR_NUMBER)?.find((part) => !part.startsWith('"') && isUnsafe(Number(part)))
    : undefined
