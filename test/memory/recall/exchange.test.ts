import { describe, expect, test } from 'vitest'
import { exchangesOf, toldBy } from '../../../src/memory/recall/exchange.ts'
import type { Turn } from '../../../src/memory/recall/turn.ts'

type Said = [role: Turn['role'], text: string, speaker?: string]

const turns = (...said: Said[]): Turn[] =>
  said.map(([role, text, speaker = null], at) => ({ id: `mem_${at}`, conversationId: 'c', role, speaker, text, at }))

/** The texts that the turn `at` brings, the lead in brackets. */
function told(at: number, ...said: Said[]): string[] | null {
  const found = toldBy(turns(...said), at)
  return found && found.turns.map((turn) => (turn === found.lead ? `[${turn.text}]` : turn.text))
}

const FACT: Said = ['user', 'I am allergic to penicillin.']
const QUESTION: Said = ['user', 'What am I allergic to?']

describe('an exchange', () => {
  test('is a user turn and what follows up to the next one', () => {
    const said: Said[] = [FACT, ['assistant', 'Noted.'], ['user', 'My dog is a beagle.'], ['assistant', 'Lovely.']]
    expect(told(0, ...said)).toEqual(['[I am allergic to penicillin.]', 'Noted.'])
    expect(told(1, ...said)).toEqual(['I am allergic to penicillin.', '[Noted.]'])
    expect(told(3, ...said)).toEqual(['My dog is a beagle.', '[Lovely.]'])
  })

  test('has at most three turns, the one that was found among them', () => {
    const said: Said[] = [FACT, ['tool', 'one'], ['tool', 'two'], ['tool', 'three'], ['assistant', 'four']]
    expect(told(0, ...said)).toEqual(['[I am allergic to penicillin.]', 'one', 'two'])
    expect(told(4, ...said)).toEqual(['two', 'three', '[four]'])
  })

  test('of notes is the note alone', () => {
    expect(told(1, [null, 'One.'], [null, 'Two.'], [null, 'Three.'])).toEqual(['[Two.]'])
  })
})

describe('a turn that only asks', () => {
  test('counts by its answer, which is shown without it', () => {
    const answer: Said = ['assistant', 'Freeze the cloth, scrape off the wax and iron it.']
    const said: Said[] = [['user', 'How do I get wax out of a tablecloth?'], answer]
    expect(told(0, ...said)).toEqual([`[${answer[1]}]`])
    expect(told(1, ...said)).toEqual([`[${answer[1]}]`])
  })

  test.each([
    'I do not know.',
    'Sorry, I do not know what you are allergic to.',
    'Das weiß ich leider nicht.',
    '申し訳ありませんが、わかりません。',
    'Could you tell me more?',
  ])('counts nothing where the answer is %j, and neither does the answer', (answer) => {
    expect(told(0, QUESTION, ['assistant', answer])).toBeNull()
    expect(told(1, QUESTION, ['assistant', answer])).toBeNull()
  })

  test('counts nothing without an answer', () => {
    expect(told(0, QUESTION)).toBeNull()
    expect(told(0, QUESTION, FACT)).toBeNull()
  })

  test('counts by the reply of another person, or by the note behind it', () => {
    const reply = 'There is an overnight train.'
    expect(told(0, ['user', 'How do we get there?', 'Mara'], ['user', reply, 'Jonas'])).toBeNull()
    const long = 'There is an overnight train to the border, then a coach.'
    expect(told(0, ['user', 'How do we get there?', 'Mara'], ['user', long, 'Jonas'])).toEqual([`[${long}]`])
    expect(told(0, [null, 'How do we get there?'], [null, long])).toEqual([`[${long}]`])
  })

  test('of the assistant counts by the reply of the user, however short', () => {
    const said: Said[] = [FACT, ['assistant', 'Where do you live?'], ['user', 'Lisbon.'], ['assistant', 'Noted.']]
    expect(told(1, ...said)).toEqual(['[Lisbon.]', 'Noted.'])
    expect(told(0, ...said)).toEqual(['[I am allergic to penicillin.]'])
    expect(told(1, FACT, ['assistant', 'Where do you live?'], ['user', 'Why?'])).toBeNull()
  })
})

test('the exchanges of a conversation that tell something, in order', () => {
  const all = turns(FACT, ['assistant', 'Noted.'], QUESTION, ['assistant', 'I do not know.'], ['user', 'It is late.'])
  expect(exchangesOf(all).map(({ lead }) => lead.text)).toEqual(['I am allergic to penicillin.', 'It is late.'])
})
