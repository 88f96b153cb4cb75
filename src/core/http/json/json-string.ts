/** The position behind the JSON string that begins at `start`; the end of the text if nothing closes it. */
export function endOfString(json: string, start: number): number {
  for (let from = start + 1; ;) {
    const quote = json.indexOf('"', from)
    if (quote === -1) return json.length
    let escapes = 0
    while (json[quote - 1 - escapes] === '\\') escapes += 1
    if (escapes % 2 === 0) return quote + 1
    from = quote + 1
  }
}
