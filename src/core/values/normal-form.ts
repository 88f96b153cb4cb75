/** UTF-16 units that a code point may have in another form: four code points of two units. */
const MAX_UNITS = 8

/**
 * The form NFC, in which canonically equal names are the same characters (Unicode Standard Annex 15). A name that is too long
 * in any form stays as it is: to order a long run of combining marks takes quadratic time.
 */
export const inNormalForm =
  (maxCharacters: number, form: 'NFC' | 'NFKC' = 'NFC') =>
  (name: string): string =>
    name.length > maxCharacters * MAX_UNITS ? name : name.normalize(form)

/** The forms in which a name may be stored until `memory.reindex` has reached its item. */
export const storedForms = (name: string): string[] => [...new Set([name.normalize('NFC'), name.normalize('NFD')])]
