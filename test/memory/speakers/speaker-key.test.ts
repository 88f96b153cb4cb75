import { expect, test } from 'vitest'
import { askedNames, speakerKey } from '../../../src/memory/speakers/speaker-key.ts'

const keyOf = (text: string, speaker: string | null = null) => speakerKey({ conversation_id: 'c', speaker, text })

test.each([
  ['Ada', 'ada'],
  ['Ada Lovelace', 'ada'],
  ['  ÉLODIE', 'elodie'],
  ['E\u0301lodie', 'elodie'],
  ['Łukasz', 'lukasz'],
  ["O'Brien", 'obrien'],
  ['O’Brien', 'obrien'],
  ['Jean-Luc', 'jean'],
  ['田中さん', '田中'],
  ['أحمد', 'احمد'],
  ['ada_99', 'ada99'],
  ['🙂', ''],
  ['007', ''],
])('the key of the speaker %j is %j', (speaker, key) => {
  expect(keyOf('Bo: hello', speaker)).toBe(key)
})

test.each([
  ['Mara: Shall we go?', 'mara'],
  ['  Mara :Shall we go?', 'mara'],
  ['Ada Byron Lovelace: yes', 'ada'],
  ['Dr. Ada: yes', 'dr'],
  ['E\u0301lodie: oui', 'elodie'],
  ['田中：はい', '田中'],
  ['أحمد: نعم', 'احمد'],
  ['ანა: გამარჯობა', 'ანა'],
  ['\u200eMara: with a direction mark', 'mara'],
  ['One two three four: too many words', ''],
  ['The plan: tea', ''],
  ['mara: small letters', ''],
  ['Mara, shall we go?', ''],
  ['At 5:30 we leave', ''],
  ['C:\\kettle', ''],
  ['Https://example.com', ''],
  ['Mara\nNote: two lines', ''],
  [`M${'a'.repeat(39)}: forty characters`, `m${'a'.repeat(39)}`],
  [`M${'a'.repeat(40)}: one more`, ''],
  [': nobody', ''],
  ['', ''],
])('an item that begins with %j has the key %j', (text, key) => {
  expect(keyOf(text)).toBe(key)
})

test('an item without a conversation has no speaker, whatever it begins with', () => {
  expect(speakerKey({ conversation_id: null, speaker: null, text: 'Note: buy tea' })).toBeNull()
})

test('the first sixteen words of a query are asked, folded and once', () => {
  expect(askedNames("What did ADA and E\u0301lodie say about Ada's tea?")).toEqual([
    'what',
    'did',
    'ada',
    'and',
    'elodie',
    'say',
    'about',
    'tea',
  ])
  const letters = 'a b c d e f g h i j k l m n o p q r'
  expect(askedNames(letters)).toEqual(letters.split(' ').slice(0, 16))
  expect(askedNames('田中さんは何と言いましたか')).toContain('田中')
  expect(askedNames('?! 12 🙂')).toEqual([])
  expect(askedNames(`${'! '.repeat(300)}Ada`)).toEqual([])
  expect(askedNames(`${'😀'.repeat(509)}Ada`)).toEqual(['ada'])
})
