import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findDate, MAX_READ } from '../../../../src/memory/search/dates/find.ts'
import { interpret, toInterpreted } from '../../../../src/memory/search/dates/interpret.ts'
import { told } from './told.ts'

describe('contract §3: times before now, in fifteen languages', () => {
  test.each([
    ['What did I eat yesterday?', 'yesterday: 2026-11-24 2026-11-25'],
    ['Was habe ich gestern gegessen?', 'gestern: 2026-11-24 2026-11-25'],
    ['Qu’ai-je mangé hier ?', 'hier: 2026-11-24 2026-11-25'],
    ['¿Qué comí ayer?', 'ayer: 2026-11-24 2026-11-25'],
    ['O que comi ontem?', 'ontem: 2026-11-24 2026-11-25'],
    ['Che cosa ho mangiato ieri?', 'ieri: 2026-11-24 2026-11-25'],
    ['Wat heb ik gisteren gegeten?', 'gisteren: 2026-11-24 2026-11-25'],
    ['Co wczoraj jadłem?', 'wczoraj: 2026-11-24 2026-11-25'],
    ['Что я ел вчера?', 'вчера: 2026-11-24 2026-11-25'],
    ['Dün ne yedim?', 'Dün: 2026-11-24 2026-11-25'],
    ['ماذا أكلت أمس؟', 'أمس: 2026-11-24 2026-11-25'],
    ['मैंने कल क्या खाया?', 'कल: 2026-11-24 2026-11-25'],
    ['昨日は何を食べた？', '昨日: 2026-11-24 2026-11-25'],
    ['我昨天吃了什么？', '昨天: 2026-11-24 2026-11-25'],
    ['어제 뭐 먹었지?', '어제: 2026-11-24 2026-11-25'],
  ])('%s', (query, expected) => expect(told(query)).toBe(expected))

  test.each([
    'two weeks ago',
    'vor zwei Wochen',
    'il y a deux semaines',
    'hace dos semanas',
    'há duas semanas',
    'due settimane fa',
    'twee weken geleden',
    'dwa tygodnie temu',
    'две недели назад',
    'iki hafta önce',
    'قبل أسبوعين',
    'दो सप्ताह पहले',
    '二週間前',
    '两周前',
    '2주 전',
  ])('%s', (phrase) => expect(told(`(${phrase})`)).toBe(`${phrase}: 2026-11-09 2026-11-16`))

  test.each([
    ['today', '2026-11-25 2026-11-26'],
    ['the day before yesterday', '2026-11-23 2026-11-24'],
    ['this week', '2026-11-23 2026-11-30'],
    ['last month', '2026-10-01 2026-11-01'],
    ['1 month ago', '2026-10-01 2026-11-01'],
    ['eleven months ago', '2025-12-01 2026-01-01'],
    ['a year ago', '2025-01-01 2026-01-01'],
    ['30 days ago', '2026-10-26 2026-10-27'],
    ['l’année dernière', '2025-01-01 2026-01-01'],
    ['٣ days ago', '2026-11-22 2026-11-23'],
    ['mois dernier', '2026-10-01 2026-11-01'],
    ['mes pasado', '2026-10-01 2026-11-01'],
    ['letzter Woche', '2026-11-16 2026-11-23'],
  ])('%s', (phrase, expected) => expect(told(phrase)).toBe(`${phrase}: ${expected}`))
})

describe('contract §3: dates', () => {
  test.each([
    ['2023-05-08', '2023-05-08 2023-05-09'],
    ['2023-12', '2023-12-01 2024-01-01'],
    ['8 May 2023', '2023-05-08 2023-05-09'],
    ['8. Mai 2023', '2023-05-08 2023-05-09'],
    ['8 de mayo de 2023', '2023-05-08 2023-05-09'],
    ['1er mars 2023', '2023-03-01 2023-03-02'],
    ['8 мая 2023', '2023-05-08 2023-05-09'],
    ['May 8, 2023', '2023-05-08 2023-05-09'],
    ['May 8th, 2023', '2023-05-08 2023-05-09'],
    ['Aug. 8, 2023', '2023-08-08 2023-08-09'],
    ['8 ago 2023', '2023-08-08 2023-08-09'],
    ['May 2023', '2023-05-01 2023-06-01'],
    ['2023年5月8日', '2023-05-08 2023-05-09'],
    ['2023년 5월', '2023-05-01 2023-06-01'],
    ['2019', '2019-01-01 2020-01-01'],
    ['2019年', '2019-01-01 2020-01-01'],
    ['8 May', '2026-05-08 2026-05-09 *'],
    ['8th of May', '2026-05-08 2026-05-09 *'],
    ['Aug 8', '2026-08-08 2026-08-09 *'],
    ['December 31', '2025-12-31 2026-01-01 *'],
    ['29 February', '2024-02-29 2024-03-01 *'],
    ['5月', '2026-05-01 2026-06-01 *'],
    ['Sept 5', '2026-09-05 2026-09-06 *'],
    ['MAYIS 2023', '2023-05-01 2023-06-01'],
    ['may 8', '2026-05-08 2026-05-09 *'],
    ['August 3rd', '2026-08-03 2026-08-04 *'],
    ['May 1st', '2026-05-01 2026-05-02 *'],
    ['July 4th', '2026-07-04 2026-07-05 *'],
    ['Aug. 22nd', '2026-08-22 2026-08-23 *'],
    ['1° maggio', '2026-05-01 2026-05-02 *'],
    ['mayo 8', '2026-05-08 2026-05-09 *'],
    ['Mai 8, 2023', '2023-05-08 2023-05-09'],
    ['8 sie 2023', '2023-08-08 2023-08-09'],
    ['五月', '2026-05-01 2026-06-01 *'],
  ])('%s', (phrase, expected) => expect(told(`What was it, ${phrase}?`)).toBe(`${phrase}: ${expected}`))

  test.each([
    ['in May', 'May'],
    ['im Mai', 'Mai'],
    ['en mayo', 'mayo'],
    ['w maju', 'maju'],
    ['в мае', 'мае'],
    ["Mayıs'ta", 'Mayıs'],
    ["Mayıs'tan beri", 'Mayıs'],
    ['Mayıs ayında', 'Mayıs'],
    ['MAYIS AYI', 'MAYIS'],
    ['mayısta', 'mayısta'],
    ['في مايو', 'مايو'],
    ['मई में', 'मई'],
  ])('%s is in every May', (query, month) => expect(told(query)).toBe(`${month}: 2026-05-01 2026-06-01 *`))

  test.each([
    ['我五月去了巴黎', '五月: 2026-05-01 2026-06-01 *'],
    ['五月に行った', '五月: 2026-05-01 2026-06-01 *'],
    ['十一月', '十一月: 2026-11-01 2026-12-01 *'],
    ['la reunión del mes pasado', 'mes pasado: 2026-10-01 2026-11-01'],
    ['지난주에 갔다', '지난주: 2026-11-16 2026-11-23'],
    ['我昨天吃了', '昨天: 2026-11-24 2026-11-25'],
    ['昨日は', '昨日: 2026-11-24 2026-11-25'],
  ])('%s', (query, expected) => expect(told(query)).toBe(expected))

  test.each([
    'last\n week',
    'last \u00A0\tweek',
    'l’année dernière'.normalize('NFD'),
    '지난주'.normalize('NFD'),
    '\u095E\u0930\u0935\u0930\u0940 2023',
  ])('%j is shown as the question writes it', (phrase) => {
    expect(told(`  ${phrase}\n?`)).toMatch(new RegExp(`^${phrase}: 20`, 'u'))
  })

  test.each([
    ['the last week of June 2023', 'June 2023: 2023-06-01 2023-07-01'],
    ['the last week of June', 'June: 2026-06-01 2026-07-01 *'],
    ['the last month of 2022', '2022: 2022-01-01 2023-01-01'],
    ['the last month of the year 2022', '2022: 2022-01-01 2023-01-01'],
    ['die letzte Woche des Jahres 2023', '2023: 2023-01-01 2024-01-01'],
    ['letztes Jahr im Mai', 'letztes Jahr: 2025-01-01 2026-01-01'],
    ['this week of last year', 'last year: 2025-01-01 2026-01-01'],
    ['the last week of school', 'last week: 2026-11-16 2026-11-23'],
  ])('a part of a time is none: %s', (query, expected) => expect(told(query)).toBe(expected))

  test('of several times the longest phrase counts, and of equal ones the first', () => {
    expect(told('Was it in 2021 or on 8 May 2023?')).toMatch(/^8 May 2023:/)
    expect(told('in 2021 or 2022')).toMatch(/^2021:/)
  })
})

test.each([
  'How may I help?',
  'What did June say?',
  'March on',
  'Which car is the Sun of Monday?',
  'set 2 alarms',
  'out 5',
  'version 2019.3',
  '$2000',
  '2023ms',
  'ISO 2022-JP',
  '2023-02-30',
  'February 30',
  'May 32',
  '31 days ago',
  '0 days ago',
  'the last 31 days',
  'yesterdays',
  'Was there a march in town?',
  'tuna in mayo',
  'the moons of Mars',
  '¿Qué marca de café compré?',
  'Question 3. May I go home?',
  'Step 4, March forward',
  'Which 2 may fail?',
  'May of 12 people',
  'May 20% of them fail?',
  '5/12 月曜日の会議',
  '5/12 월요일 회의',
  'commit 3f2b7dec9a01',
  'a1b25feb-44',
  '0x7dec',
  '1.5 years ago',
  '3.10 days ago',
  'twenty-one days ago',
  'half a year ago',
  '0050-05-08',
  '9999-12-31',
  'tel 5551-12',
  '日本周边',
  '以前天气',
  '晚上月亮',
  '언어제한',
  '오늘날',
  'tomorrow',
  'in two weeks',
  '',
])('%j names no time', (query) => expect(told(query)).toBeNull())

test.each(['x', '😀', '\n'])('the first 512 characters are read, of %j too', (filler) => {
  expect(told(`${filler.repeat(MAX_READ - 10)} yesterday`)).not.toBeNull()
  expect(told(`${filler.repeat(MAX_READ - 9)} yesterday`)).toBeNull()
})

test('the calendar is that of the offset of reference_date', () => {
  const at = Date.parse('2026-11-25T23:30:00Z')
  const found = interpret('yesterday', 0, { at, offsetMinutes: 60 })
  expect(found && toInterpreted(found)).toEqual({
    text: 'yesterday',
    after: '2026-11-24T23:00:00.000Z',
    before: '2026-11-25T23:00:00.000Z',
  })
})

test('any text is read without a fault, and what is found stands in it', () => {
  const part = fc.constantFrom(
    'May',
    '8',
    'th',
    'of',
    '2023',
    ',',
    ' ',
    'a',
    'week',
    'ago',
    '年',
    '5月',
    '-',
    'İ',
    '२',
    '\n',
    '\u0301',
    '昨日',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.array(part, { maxLength: 30 }).map((all) => all.join(' ')),
  )
  fc.assert(
    fc.property(text, (query) => {
      const found = findDate(query, Date.UTC(2026, 10, 25))
      if (!found) return
      expect(query).toContain(found.text)
      expect(found.text).not.toBe('')
      const { from, until } = 'from' in found.days ? found.days : { from: 0, until: 1 }
      expect(until).toBeGreaterThan(from)
    }),
  )
})
