import { expect, test } from 'vitest'
import { findCards } from '../../../src/memory/guard/find/card.ts'
import { findIbans } from '../../../src/memory/guard/find/iban.ts'
import { DIGITS, Seeded } from '../../support/secrets/random.ts'

/** The number with the digit that makes its Luhn sum a multiple of ten. */
function withLuhn(digits: string): string {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, at) => {
      const value = at % 2 === 0 ? Number(digit) * 2 : Number(digit)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return digits + String((10 - (sum % 10)) % 10)
}

function ibanOf(country: string, account: string): string {
  const letters = `${account}${country}00`
    .split('')
    .map((one) => Number.parseInt(one, 36))
    .join('')
  return `${country}${String(98n - (BigInt(letters) % 97n)).padStart(2, '0')}${account}`
}

const grouped = (text: string, separator: string): string => (text.match(/.{1,4}/g) ?? []).join(separator)

test('cards are found by issuer and checksum, written as one number or in groups (contract §3)', () => {
  const r = new Seeded(2)
  for (const prefix of ['4', '51', '2221', '6011', '3528']) {
    const card = withLuhn(prefix + r.chars(15 - prefix.length, DIGITS))
    for (const written of [card, grouped(card, ' '), grouped(card, '-')]) {
      const text = `pay with ${written}, please`
      expect(findCards(text), text).toEqual([{ kind: 'card', start: 9, end: 9 + written.length }])
    }
  }
  const amex = withLuhn(`37${r.chars(12, DIGITS)}`)
  const written = `${amex.slice(0, 4)} ${amex.slice(4, 10)} ${amex.slice(10)}`
  expect(findCards(`${amex} or ${written}.`)).toHaveLength(2)
})

test('a wrong checksum, another issuer, a longer number and test cards are none', () => {
  const card = withLuhn(`4${new Seeded(9).chars(14, DIGITS)}`)
  const wrong = card.slice(0, -1) + String((Number(card.at(-1)) + 1) % 10)
  for (const text of [
    wrong,
    `1${card}`,
    `${card}.5`,
    `a${card}`,
    withLuhn('123456789012345'),
    '4242 4242 4242 4242',
    '4111111111111111',
  ]) {
    expect(findCards(text), text).toEqual([])
  }
})

test('IBANs are found by country, length and checksum (contract §3)', () => {
  const r = new Seeded(4)
  for (const [country, account] of [
    ['DE', r.chars(18, DIGITS)],
    ['GB', `NWBK${r.chars(14, DIGITS)}`],
    ['NO', r.chars(11, DIGITS)],
    ['MT', `MALT${r.chars(23, DIGITS)}`],
  ] as const) {
    const iban = ibanOf(country, account)
    for (const written of [iban, grouped(iban, ' ')]) {
      const text = `to ${written} today`
      expect(findIbans(text), text).toEqual([{ kind: 'iban', start: 3, end: 3 + written.length }])
    }
    const wrong = iban.slice(0, -1) + String((Number(iban.at(-1)) + 1) % 10)
    expect(findIbans(wrong)).toEqual([])
    expect(findIbans(iban.slice(0, -1))).toEqual([])
  }
  expect(findIbans('DE89 3704 0044 0532 0130 00')).toEqual([])
})
