/** Lower case and one kind of apostrophe, with each UTF-16 unit in its place. */
export const folded = (text: string): string =>
  text
    .replaceAll(/./gsu, (one) => {
      const lower = one.toLowerCase()
      return lower.length === one.length ? lower : one
    })
    .replaceAll('’', "'")
