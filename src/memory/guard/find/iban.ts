import type { Found } from './found.ts'

const SPACE = 32
const ZERO = 48
const CAPITAL_A = 65
/** Characters of the country and the checksum. */
const COUNTRY = 4
/** A hundred times a larger number would not be exact. */
const MAX_REST = 1e12

/** The length of the IBANs of each country, from the registry of SWIFT (ISO 13616). */
const LENGTHS =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
const LENGTH_OF = new Map(LENGTHS.split(' ').map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]))

/** Written as one word, or in groups of four. A group that follows may belong to it or not. */
const START = /(?<![A-Za-z0-9])(?:[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?![A-Za-z0-9])/g
/** The IBANs that banks print as examples, by their last eight characters. */
const EXAMPLES = new Set(['32013000', '98765432', '31926819', '23456789'])

/** Numbers of bank accounts, by country, length and the checksum of ISO 7064 (mod 97). */
export function findIbans(text: string): Found[] {
  const found: Found[] = []
  for (const { 0: whole, index } of text.matchAll(START)) {
    const length = LENGTH_OF.get(whole.slice(0, 2))
    const end = length === undefined ? null : endOf(whole, length)
    if (end === null || (end < whole.length && whole[end] !== ' ')) continue
    if (!hasChecksum(whole, end)) continue
    if (EXAMPLES.has(whole.slice(0, end).replaceAll(' ', '').slice(-8))) continue
    found.push({ kind: 'iban', start: index, end: index + end })
  }
  return found
}

/** Where `length` characters end, spaces not counted; null where there are fewer. */
function endOf(text: string, length: number): number | null {
  let seen = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== SPACE) seen += 1
    if (seen === length) return at + 1
  }
  return null
}

/** Whether the characters before `end`, the first four of them last, are 1 modulo 97 as a number. */
function hasChecksum(text: string, end: number): boolean {
  let rest = 0
  for (let place = COUNTRY; place < end + COUNTRY; place += 1) {
    const code = text.charCodeAt(place < end ? place : place - end)
    if (code === SPACE) continue
    rest = code >= CAPITAL_A ? rest * 100 + code - CAPITAL_A + 10 : rest * 10 + code - ZERO
    if (rest > MAX_REST) rest %= 97
  }
  return rest % 97 === 1
}
