/** The first characters alone decide: a random token shows itself early. */
const LOOKED_AT = 64
/** More of one character, or of ascending ones, in a row are typed by hand. */
const MAX_REPEATS = 7
const MAX_ASCENDING = 6

const WORDS = 'example sample your placeholder dummy redacted change insert replace fake secret todo foobar lorem xxxx'
/** Words that stand for a secret, in one case: random characters of both cases rarely spell one. */
const PLACEHOLDER = new RegExp(
  WORDS.split(' ')
    .flatMap((word) => [word, word.toUpperCase(), word.slice(0, 1).toUpperCase() + word.slice(1)])
    .join('|'),
)

/**
 * The last eight characters of keys and tokens that vendors' documents and RFCs show. The whole ones would alarm every
 * scanner that reads this file.
 */
const EXAMPLE_TAILS = new Set([
  // https://docs.stripe.com/keys, in three editions
  'T1zdp7dc',
  'gH4olfQ2',
  'DfE1x4sd',
  // https://docs.github.com/en/apps/creating-github-apps (user access tokens)
  'Ae178B4a',
  // https://docs.slack.dev/authentication/tokens
  'cHrzqbgy',
  // https://developers.google.com/maps/documentation and https://developers.google.com/youtube/v3
  'amBGewQe',
  'pBXqWBgw',
  // RFC 6749 §5.1 and RFC 6750 §2.1
  'sicMWpAA',
  'f-4.1JqM',
  // RFC 7519 §3.1 and https://jwt.io, in four editions
  'FWFOEjXk',
  'adQssw5c',
  'ONFh7HgQ',
  'qJp-QV30',
  'mGwLMBkQ',
])
const TAIL = 8

/** Whether a secret that ends at `end` is one of those that documents show. */
export const isExample = (text: string, end: number): boolean => EXAMPLE_TAILS.has(text.slice(end - TAIL, end))

/** Bits of the characters that were seen, by code: 32 to 63, 64 to 95, 96 to 127. */
const seen = new Int32Array(4)

/**
 * Whether the characters between two places come from a random generator, and not from a person: no placeholder, no
 * example of a document, no word, no number.
 */
export function isRandom(text: string, from: number, to: number): boolean {
  const end = Math.min(to, from + LOOKED_AT)
  seen.fill(0)
  let [digits, uppers, lowers, others, repeats, ascending] = [0, 0, 0, 0, 1, 1]
  let before = 0
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 97 && code <= 122) lowers += 1
    else if (code >= 48 && code <= 57) digits += 1
    else if (code >= 65 && code <= 90) uppers += 1
    else others += 1
    repeats = code === before ? repeats + 1 : 1
    ascending = code === before + 1 ? ascending + 1 : 1
    if (repeats > MAX_REPEATS || ascending > MAX_ASCENDING) return false
    seen[(code >> 5) & 3] = (seen[(code >> 5) & 3] ?? 0) | (1 << (code & 31))
    before = code
  }
  const length = end - from
  const distinct = bits(seen[0] ?? 0) + bits(seen[1] ?? 0) + bits(seen[2] ?? 0) + bits(seen[3] ?? 0)
  if (distinct < (length < 16 ? 5 : 7)) return false
  // A word has one case and no digit, but for the first letter. Some alphabets have capitals and few digits alone.
  if (digits === 0 && (lowers > 0 ? uppers < 2 || lowers < 2 : uppers === 0)) return false
  if (digits === length - others) return false
  // Words that are joined have no capitals, few digits, and a separator every few letters. A UUID has four in 36.
  if (uppers === 0 && (others > 2 + length / 8 || digits * 10 < length)) return false
  return !isExample(text, to) && !PLACEHOLDER.test(text.slice(from, end))
}

function bits(word: number): number {
  let rest = word
  let count = 0
  for (; rest !== 0; rest &= rest - 1) count += 1
  return count
}
