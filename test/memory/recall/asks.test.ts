import { describe, expect, test } from 'vitest'
import lines from '../../../bench/data/asking/turns.jsonl?raw'
import { isCourtesy, onlyAsks } from '../../../src/memory/recall/asks.ts'

interface Turn {
  language: string
  text: string
  only_asks: boolean
}
const TURNS = lines
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Turn)

test('of 200 labelled turns in nine languages the right ones only ask', () => {
  const found = TURNS.filter(({ text }) => onlyAsks(text))
  const right = found.filter((turn) => turn.only_asks).length
  expect(new Set(TURNS.map(({ language }) => language)).size).toBe(9)
  expect(TURNS.length).toBeGreaterThanOrEqual(200)
  expect(right / found.length).toBeGreaterThanOrEqual(0.95)
  expect(right / TURNS.filter((turn) => turn.only_asks).length).toBeGreaterThanOrEqual(0.85)
})

describe('a turn only asks', () => {
  test.each([
    'كيف حالك؟',
    'Τι ώρα είναι\u037E',
    'Really?!',
    '“Where are we?”',
    'Hello! Thanks, and where did I leave the keys? 🙏',
    'WHO IS ADA?',
    'Is Dr. Okafor my dentist or my optician?',
    'Erinnere mich, was der Lesekreis liest.',
    'What time is it\nWhere is everybody',
  ])('%j', (text) => expect(onlyAsks(text)).toBe(true))
})

describe('a turn tells something', () => {
  test.each([
    '',
    '???',
    'Thanks!',
    'I do not know.',
    'Who is Ada? She is my sister.',
    'Where is the surgery of Dr. Okafor? I was there on Friday.',
    'My boss said: "Where are you?"',
    'I live in Oslo, what is the weather like?',
    'Why does this fail?\n```\nconst a = 1\n```',
    'Remind me to buy milk on Friday.',
    `What about this text: ${'word '.repeat(300)}?`,
  ])('%j', (text) => expect(onlyAsks(text)).toBe(false))
})

test('a long text takes no longer than its length says', () => {
  const began = performance.now()
  for (const part of ['what ', 'hi, ', 'ok ok ', '?', '謝謝', 'ですが、']) onlyAsks(part.repeat(65_536 / part.length))
  expect(performance.now() - began).toBeLessThan(2_000)
})

test('a sentence past 1,000 characters is not looked through, whatever it is of', () => {
  const signs = '-'.repeat(1_000)
  expect([onlyAsks('- Who is Ada?'), onlyAsks(`${signs} Who is Ada?`)]).toEqual([true, false])
  expect([isCourtesy('- Thanks'), isCourtesy(`${signs} Thanks`)]).toEqual([true, false])
})

test.each([
  ['Thanks a lot!', true],
  ['Gute Nacht!', true],
  ['ありがとう', true],
  ['ok', true],
  ['thanks for the dog', false],
])('%j is a courtesy: %s', (text, expected) => expect(isCourtesy(text)).toBe(expected))
