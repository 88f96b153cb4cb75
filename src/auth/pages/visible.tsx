import type { FC } from 'hono/jsx'

/** Invisible, control and direction-changing characters. A name may hold them, and a reader must see them (security 35). */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/u
const KEPT = new Set(['\n', '\t', '\u{200d}'])
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Cherokee}/u]

export interface Part {
  text: string
  /** The code point of a character that is shown by its number; null: the text is shown as it is. */
  code: string | null
}

/**
 * Cuts a text into parts that may be shown as they are and characters that must be shown by number: invisible ones,
 * and in a word that mixes look-alike scripts each letter of another script than the word's own.
 */
export function visibleParts(value: string): Part[] {
  const parts: Part[] = []
  const add = (text: string, code: string | null) => {
    const last = parts.at(-1)
    if (last && last.code === null && code === null) last.text += text
    else parts.push({ text, code })
  }
  for (const word of value.split(/([^\p{L}\p{M}\p{N}]+)/u)) {
    const own = SCRIPTS.find((script) => script.test(word))
    const chars = Array.from(word)
    chars.forEach((char, index) => {
      const emojiJoiner = char === '\u{200d}' && /\p{Extended_Pictographic}|\ufe0f/u.test(chars[index - 1] ?? '')
      const hidden = INVISIBLE.test(char) && (char === '\u{200d}' ? !emojiJoiner : !KEPT.has(char))
      const alien = SCRIPTS.some((script) => script !== own && script.test(char))
      add(char, hidden || alien ? `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}` : null)
    })
  }
  return parts
}

/** The text as `Visible` shows it. */
export const shownText = (text: string): string =>
  visibleParts(text)
    .map((part) => part.code ?? part.text)
    .join('')

/** Shows a client's text: isolated in direction, with deceptive characters by their numbers. */
export const Visible: FC<{ text: string }> = ({ text }) => (
  <bdi>
    <Shown text={text} />
  </bdi>
)

/** A piece of a client's text. The whole of it must stand in one element that isolates its direction. */
export const Shown: FC<{ text: string }> = ({ text }) => (
  <>
    {visibleParts(text).map((part) =>
      part.code === null ? (
        part.text
      ) : (
        <span class="codepoint" title="A character that could deceive, shown by its number">
          {part.code}
        </span>
      ),
    )}
  </>
)
