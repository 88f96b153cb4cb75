import { describe, expect, test } from 'vitest'
import { told } from './told.ts'

describe('a word of one language is no time of another', () => {
  test.each([
    'Was haben wir hier besprochen?',
    'Wer war hier?',
    'Wat hebben we hier besproken?',
    'Ging hier iets mis?',
    'Wie liep mee in de mars?',
    'Heeft Mart de sleutel?',
    'Non ho mai 10 minuti.',
    '¿Quién marca 2 goles?',
    'Which hotel was it in Rio de Janeiro?',
  ])('%s', (query) => expect(told(query)).toBeNull())

  test.each([
    ['Was haben wir hier im Mai besprochen?', 'Mai: 2026-05-01 2026-06-01 *'],
    ['Wat hebben we hier in mei besproken?', 'mei: 2026-05-01 2026-06-01 *'],
    ['Wat deden we hier gisteren?', 'gisteren: 2026-11-24 2026-11-25'],
    ['Was dauerte im Mai 3 Wochen?', 'Mai: 2026-05-01 2026-06-01 *'],
    ['Was hat sie 2020 gemacht?', '2020: 2020-01-01 2021-01-01'],
    ['How many out of 2020 came?', '2020: 2020-01-01 2021-01-01'],
    ['Who won in Rio de Janeiro 2016?', '2016: 2016-01-01 2017-01-01'],
    ['Quem veio ao Rio em janeiro?', 'janeiro: 2026-01-01 2026-02-01 *'],
    ['Qual foi o salário de janeiro?', 'janeiro: 2026-01-01 2026-02-01 *'],
    ["Qu'a dit Ursula von der Leyen hier ?", 'hier: 2026-11-24 2026-11-25'],
    ['Où dort-elle depuis mars 2020 ?', 'mars 2020: 2020-03-01 2020-04-01'],
    ['¿Qué marca de 2021 era?', '2021: 2021-01-01 2022-01-01'],
  ])('%s', (query, expected) => expect(told(query)).toBe(expected))

  test.each([
    ['Qu’avons-nous décidé hier ?', 'hier: 2026-11-24 2026-11-25'],
    ['Qui a dit ça hier soir ?', 'hier: 2026-11-24 2026-11-25'],
    ['hier', 'hier: 2026-11-24 2026-11-25'],
    ['Qu’as-tu fait au mois de mars ?', 'mars: 2026-03-01 2026-04-01 *'],
    ['Wat gebeurde er op 8 mars 2023?', '8 mars 2023: 2023-03-08 2023-03-09'],
  ])('but of its own: %s', (query, expected) => expect(told(query)).toBe(expected))
})

describe('a longer phrase with a known one in it is read whole', () => {
  const TWO_DAYS = '2026-11-23 2026-11-24'
  const THREE_DAYS = '2026-11-22 2026-11-23'
  const TWO_WEEKS = '2026-11-09 2026-11-16'
  const TWO_MONTHS = '2026-09-01 2026-10-01'
  const TWO_YEARS = '2024-01-01 2025-01-01'

  test.each([
    ['day before yesterday', TWO_DAYS],
    ['week before last week', TWO_WEEKS],
    ['month before last', TWO_MONTHS],
    ['year before last', TWO_YEARS],
    ['vorgestern', TWO_DAYS],
    ['avant-hier', TWO_DAYS],
    ['avant hier', TWO_DAYS],
    ['antes de ayer', TWO_DAYS],
    ['anteayer', TWO_DAYS],
    ['antes de anteayer', THREE_DAYS],
    ['antes de ontem', TWO_DAYS],
    ['anteontem', TWO_DAYS],
    ["l'altro ieri", TWO_DAYS],
    ["ieri l'altro", TWO_DAYS],
    ["avant'ieri", TWO_DAYS],
    ['eergisteren', TWO_DAYS],
    ['przedwczoraj', TWO_DAYS],
    ['позавчера', TWO_DAYS],
    ['evvelsi gün', TWO_DAYS],
    ['أول من أمس', TWO_DAYS],
    ['أمس الأول', TWO_DAYS],
  ])('%s', (phrase, days) => expect(told(`(${phrase})`)).toBe(`${phrase}: ${days}`))

  test.each([
    ['我大前天吃了什么', '大前天', THREE_DAYS],
    ['我前天吃了什么', '前天', TWO_DAYS],
    ['我们上上周谈了什么', '上上周', TWO_WEEKS],
    ['我们上周谈了什么', '上周', '2026-11-16 2026-11-23'],
    ['我们上上个月谈了什么', '上上个月', TWO_MONTHS],
    ['我們上上個星期談了什麼', '上上個星期', TWO_WEEKS],
    ['一昨日の会議', '一昨日', TWO_DAYS],
    ['さきおとといの会議', 'さきおととい', THREE_DAYS],
    ['一昨年の会議', '一昨年', TWO_YEARS],
    ['그저께 뭐 했지', '그저께', TWO_DAYS],
    ['엊그저께 뭐 했지', '엊그저께', TWO_DAYS],
    ['재작년에 뭐 했지', '재작년', TWO_YEARS],
    ['il discorso dell’altro ieri', 'altro ieri', TWO_DAYS],
  ])('%s', (query, phrase, days) => expect(told(query)).toBe(`${phrase}: ${days}`))
})
