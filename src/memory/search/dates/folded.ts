/** Lower case, one kind of apostrophe and one of `i`, with each UTF-16 unit in its place. */
export const folded = (text: string): string =>
  text
    .replaceAll(/[Iıİ]/gu, 'i')
    .replaceAll(/./gsu, (one) => {
      const lower = one.toLowerCase()
      return lower.length === one.length ? lower : one
    })
    .replaceAll('’', "'")
