import { folded } from './folded.ts'

/**
 * Words beside which the name of a month alone is a time, by the language of both: `June` alone may be a person, `may` a verb,
 * and `mayo` a sauce.
 */
export const BEFORE_MONTHS = setsOf({
  en: 'in during since of',
  de: 'im in seit vom anfang mitte ende',
  fr: 'en de depuis',
  es: 'en de desde durante',
  pt: 'em de desde durante',
  it: 'a in di da',
  nl: 'in sinds van',
  pl: 'w we od z',
  ru: 'в с во',
  ar: 'في منذ من خلال',
})

/** The same after the name; in Turkish, also an ending behind an apostrophe. */
export const AFTER_MONTHS = setsOf({
  hi: 'में से',
  tr: "ayında ayındaki ayından ayının ayı 'ta 'te 'da 'de 'tan 'ten 'dan 'den",
})

/** Between a day and a month, or a month and a year: `8th of May`, `8 de mayo de 2023`. */
export const OF_MONTHS = setsOf({
  en: 'of',
  es: 'de del',
  pt: 'de',
  it: 'del',
})

/** Sets of folded words. */
function setsOf(words: Record<string, string>): Readonly<Record<string, ReadonlySet<string>>> {
  return Object.fromEntries(Object.entries(words).map(([language, all]) => [language, new Set(folded(all).split(' '))]))
}
