interface Passage {
  id: string
  text: string
}

/** Texts of up to this many characters, each of passages that follow one another. */
export function longTexts(passages: readonly Passage[], characters: number): Passage[] {
  const texts: Passage[] = []
  for (const { id, text } of passages) {
    const last = texts.at(-1)
    if (last && last.text.length + 1 + text.length <= characters) last.text += `\n${text}`
    else texts.push({ id, text })
  }
  return texts
}
