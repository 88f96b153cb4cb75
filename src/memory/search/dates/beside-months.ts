/** Words beside which the name of a month alone is a time: `June` alone may be a person, `may` a verb. */
export const BEFORE_MONTHS: ReadonlySet<string> = new Set(
  [
    'in during since of',
    'im seit anfang mitte ende',
    'en de depuis desde durante em a di da nel sinds van',
    'w we od z в с во',
    'في منذ من خلال',
  ].flatMap((words) => words.split(' ')),
)
export const BEHIND_MONTHS: ReadonlySet<string> = new Set('में से ayında ayı ta te da de'.split(' '))
