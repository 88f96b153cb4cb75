/** Characters of an item's text (contract §3). */
export const MAX_ITEM_CHARACTERS = 65_536

/** The first `characters` of a text, as the service counts them (contract §1), without what no item can hold. */
export function storable(text: string, characters: number): string {
  const kept = text.length <= characters ? text : Array.from(text).slice(0, characters).join('')
  return kept.replace(/\0|\p{Surrogate}/gu, '\uFFFD')
}
