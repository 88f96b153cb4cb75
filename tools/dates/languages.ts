import type { Unit } from '../../src/memory/search/dates/calendar.ts'

/** Languages in which a question may say when, by their ISO 639 code. */
export const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'pl',
  'ru',
  'tr',
  'ar',
  'hi',
  'ja',
  'zh',
  'ko',
] as const
export type Language = (typeof LANGUAGES)[number]

/** Written without spaces, or with particles right after a word. */
export const UNSPACED: ReadonlySet<Language> = new Set(['ja', 'zh', 'ko'])

/**
 * One to twelve as they stand in "two months ago": `Intl` writes digits. Forms of one number are separated by `/`.
 */
export const NUMBER_WORDS: Record<Language, string> = {
  en: 'a/an/one two three four five six seven eight nine ten eleven twelve',
  de: 'einem/einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  fr: 'un/une deux trois quatre cinq six sept huit neuf dix onze douze',
  es: 'un/una dos tres cuatro cinco seis siete ocho nueve diez once doce',
  pt: 'um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze',
  it: 'un/una due tre quattro cinque sei sette otto nove dieci undici dodici',
  nl: 'een/één twee drie vier vijf zes zeven acht negen tien elf twaalf',
  pl: 'jeden/jedną dwa/dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście',
  ru: 'один/одну два/две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать',
  tr: 'bir iki üç dört beş altı yedi sekiz dokuz on onbir oniki',
  ar: 'واحد/واحدة اثنين/اثنتين ثلاثة/ثلاث أربعة/أربع خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني تسعة/تسع عشرة/عشر',
  hi: 'एक दो तीन चार पाँच/पांच छह/छः सात आठ नौ दस ग्यारह बारह',
  ja: '一 二 三 四 五 六 七 八 九 十 十一 十二',
  zh: '一 二/两/兩 三 四 五 六 七 八 九 十 十一 十二',
  ko: '한/일 두/이 세/삼 네/사 다섯/오 여섯/육 일곱/칠 여덟/팔 아홉/구 열/십 열한/십일 열두/십이',
}

/** Usual phrases that `Intl` does not write. `#` is a number; with it, no number is given. */
export const FURTHER_PHRASES: Record<Language, readonly [phrase: string, unit: Unit, count?: number][]> = {
  en: [
    ['the day before yesterday', 'day', 2],
    ['day before yesterday', 'day', 2],
    ['week before last', 'week', 2],
    ['week before last week', 'week', 2],
    ['month before last', 'month', 2],
    ['month before last month', 'month', 2],
    ['year before last', 'year', 2],
    ['year before last year', 'year', 2],
  ],
  de: [
    ['letzter monat', 'month', 1],
    ['dieser monat', 'month', 0],
    ['vorige woche', 'week', 1],
    ['vergangene woche', 'week', 1],
    ['letzter woche', 'week', 1],
    ['letzten woche', 'week', 1],
    ['letzten jahr', 'year', 1],
    ['voriges jahr', 'year', 1],
    ['vergangenes jahr', 'year', 1],
    ['vorigen monat', 'month', 1],
  ],
  // Without the article, which a preposition changes: "du mois dernier".
  fr: [
    ['avant hier', 'day', 2],
    ['semaine dernière', 'week', 1],
    ['mois dernier', 'month', 1],
    ['an dernier', 'year', 1],
    ['année dernière', 'year', 1],
  ],
  es: [
    ['antes de ayer', 'day', 2],
    ['antes de anteayer', 'day', 3],
    ['semana pasada', 'week', 1],
    ['mes pasado', 'month', 1],
    ['año pasado', 'year', 1],
  ],
  pt: [
    ['antes de ontem', 'day', 2],
    ['antes de anteontem', 'day', 3],
    ['# dias atrás', 'day'],
    ['# semanas atrás', 'week'],
    ['# meses atrás', 'month'],
    ['# anos atrás', 'year'],
  ],
  it: [
    ['altro ieri', 'day', 2],
    ["ieri l'altro", 'day', 2],
    ["avant'ieri", 'day', 2],
  ],
  nl: [],
  pl: [
    ['tydzień temu', 'week', 1],
    ['miesiąc temu', 'month', 1],
    ['rok temu', 'year', 1],
    ['dziś', 'day', 0],
  ],
  ru: [
    ['неделю назад', 'week', 1],
    ['# неделю назад', 'week'],
    ['месяц назад', 'month', 1],
    ['год назад', 'year', 1],
  ],
  tr: [
    ['evvelki gün', 'day', 2],
    ['geçen sene', 'year', 1],
  ],
  ar: [
    ['البارحة', 'day', 1],
    ['أول من أمس', 'day', 2],
    ['قبل أمس', 'day', 2],
    ['أمس الأول', 'day', 2],
    ['العام الماضي', 'year', 1],
    ['قبل أسبوع', 'week', 1],
    ['قبل شهر', 'month', 1],
    ['قبل سنة', 'year', 1],
  ],
  hi: [
    ['पिछले हफ़्ते', 'week', 1],
    ['पिछले सप्ताह', 'week', 1],
    ['पिछले महीने', 'month', 1],
    ['पिछले साल', 'year', 1],
    ['# हफ़्ते पहले', 'week'],
    ['# महीने पहले', 'month'],
    ['# साल पहले', 'year'],
  ],
  ja: [
    ['おととい', 'day', 2],
    ['さきおととい', 'day', 3],
    ['一昨昨日', 'day', 3],
    ['先々週', 'week', 2],
    ['先々月', 'month', 2],
    ['一昨年', 'year', 2],
    ['おととし', 'year', 2],
    ['きのう', 'day', 1],
    ['去年', 'year', 1],
    ['#ヶ月前', 'month'],
    ['#カ月前', 'month'],
    ['#ヵ月前', 'month'],
  ],
  zh: [
    ['昨日', 'day', 1],
    ['大前天', 'day', 3],
    ['上上周', 'week', 2],
    ['上上週', 'week', 2],
    ['上上星期', 'week', 2],
    ['上上个星期', 'week', 2],
    ['上上個星期', 'week', 2],
    ['上上个月', 'month', 2],
    ['上上個月', 'month', 2],
    ['上上月', 'month', 2],
    ['上个星期', 'week', 1],
    ['上個星期', 'week', 1],
    ['上星期', 'week', 1],
    ['上週', 'week', 1],
    ['上個月', 'month', 1],
    ['上月', 'month', 1],
    ['#個月前', 'month'],
    ['#个星期前', 'week'],
  ],
  ko: [
    ['엊그제', 'day', 2],
    ['엊그저께', 'day', 2],
    ['지지난주', 'week', 2],
    ['지지난달', 'month', 2],
    ['재작년', 'year', 2],
    ['지난달', 'month', 1],
    ['지난해', 'year', 1],
    ['# 달 전', 'month'],
  ],
}

/** The months after "in" where a language gives them a form of their own, from January on. */
export const FURTHER_MONTHS: Partial<Record<Language, string>> = {
  pl: 'styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu',
  ru: 'январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре',
  tr: 'ocakta şubatta martta nisanda mayısta haziranda temmuzda ağustosta eylülde ekimde kasımda aralıkta',
}

/** Short names besides those that `Intl` writes, by month from 0. */
export const FURTHER_SHORT_MONTHS: readonly [Language, month: number, name: string][] = [['en', 8, 'sept']]
