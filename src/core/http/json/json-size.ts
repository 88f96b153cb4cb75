import { AppError } from '../../errors.ts'
import { endOfString } from './json-string.ts'

/** The JSON of a longer body is counted before it is parsed (contract §1). */
export const LONG_JSON_BYTES = 1024 * 1024
/** 16 MiB of empty objects take 1.6 s of CPU to parse, and 250,000 members 0.1 s. */
export const MAX_JSON_MEMBERS = 250_000
export const MAX_JSON_DEPTH = 100

const [QUOTE, COMMA, SPACE] = [0x22, 0x2c, 0x20]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** 400 where the JSON has too many members or is too deep. Other faults are left to the parser. `what`: in words. */
export function refuseLargeJson(json: string, what: string): void {
  let depth = 0
  let members = 0
  let wasOpened = false
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at)
    if (char <= SPACE) continue
    const opens = char === OPEN_LIST || char === OPEN_OBJECT
    const closes = char === CLOSE_LIST || char === CLOSE_OBJECT
    // A comma stands before each member but the first.
    if (char === COMMA || (wasOpened && !closes)) members += 1
    if (opens) depth += 1
    else if (closes) depth -= 1
    else if (char === QUOTE) at = endOfString(json, at) - 1
    wasOpened = opens
    if (depth > MAX_JSON_DEPTH) throw refusal(`${what} is deeper than ${MAX_JSON_DEPTH} levels.`)
    if (members > MAX_JSON_MEMBERS) throw refusal(`${what} has more than ${MAX_JSON_MEMBERS} members.`)
  }
}

const refusal = (detail: string): AppError => new AppError('invalid_json', { detail })
