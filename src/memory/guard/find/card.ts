import type { Found } from './found.ts'

const ZERO = 48

/** 13 to 19 digits, in groups of four or as American Express prints them, with one kind of separator. */
const NUMBER =
  /(?<![\w.,:/+@#-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5})(?![\w]|[-.,:/]\d|[- ]\d)/g
/** ISO/IEC 7812 issuers and the lengths of their numbers: Visa, Mastercard, American Express, Discover, Diners, JCB, UnionPay, Maestro. */
const ISSUERS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|3[47]\d{13}|(?:6011|64[4-9]\d|65\d{2})\d{12,15}|3(?:0[0-5]|[689]\d)\d{11,16}|35(?:2[89]|[3-8]\d)\d{12,15}|62\d{14,17}|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{8,15})$/
/** Numbers that payment services publish for tests, by their last eight digits. */
const TESTS = new Set([
  '42424242',
  '11111111',
  '00000002',
  '55554444',
  '81828210',
  '00000004',
  '22463100',
  '98431111',
  '11171117',
  '00000000',
  '52520000',
])

/** Numbers of payment cards, by issuer and by the Luhn checksum (ISO/IEC 7812-1 annex B). */
export function findCards(text: string): Found[] {
  const found: Found[] = []
  for (const { 0: whole, index } of text.matchAll(NUMBER)) {
    if (!hasLuhn(whole)) continue
    const digits = whole.replace(/[ -]/g, '')
    if (!ISSUERS.test(digits) || TESTS.has(digits.slice(-8))) continue
    found.push({ kind: 'card', start: index, end: index + whole.length })
  }
  return found
}

function hasLuhn(number: string): boolean {
  let sum = 0
  let isDoubled = false
  for (let at = number.length - 1; at >= 0; at -= 1) {
    const digit = number.charCodeAt(at) - ZERO
    if (digit < 0) continue
    const value = isDoubled ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
    isDoubled = !isDoubled
  }
  return sum % 10 === 0
}
