import { BUSINESS_TOKENS } from './vendors-business.ts'
import { CLOUD_TOKENS } from './vendors-cloud.ts'
import { CODE_TOKENS } from './vendors-code.ts'
import { BOUNDARY, runEnd, type Found, type Reader } from './found.ts'
import { BASIC_BEGINNINGS, BEARER_BEGINNINGS, readBasic, readBearer } from './header.ts'
import { JWT_BEGINNINGS, readJwt } from './jwt.ts'
import { AWS_SECRET_BEGINNINGS, PAIR_BEGINNINGS, readAwsSecret, readPairPassword } from './named-secret.ts'
import { findOddShapes } from './odd-shapes.ts'
import { OWN_TOKENS } from './own-token.ts'
import {
  ENCODED_PEM_BEGINNINGS,
  PEM_BEGINNINGS,
  PUTTY_BEGINNINGS,
  readEncodedPem,
  readPem,
  readPutty,
} from './private-key.ts'
import { findSeedPhrases } from './seed-phrase.ts'
import { tokenReader } from './token-shape.ts'
import { readUrlPassword, URL_AHEAD, URL_BEGINNING } from './url-password.ts'

const TOKENS = [...OWN_TOKENS, ...CLOUD_TOKENS, ...CODE_TOKENS, ...BUSINESS_TOKENS]
const TOKEN_PREFIXES = [...new Set(TOKENS.flatMap(({ prefixes }) => prefixes))]
/** Fewer characters after a prefix are no token. */
const MIN_BODY = 12

/** An image holds no secret, but its base64 is long enough to look like one. */
const IMAGE = /[\w.+-]{2,20};base64,[A-Za-z0-9+/=_-]*/y
const passOverImage: Reader = (text, _at, after) => runEnd(IMAGE, text, after)

const readersOf = (beginnings: readonly string[], reader: Reader): [string, Reader][] =>
  beginnings.map((beginning) => [beginning, reader])

const BEGINNINGS = [
  ...readersOf(['data:image/'], passOverImage),
  ...readersOf(JWT_BEGINNINGS, readJwt),
  ...readersOf(PEM_BEGINNINGS, readPem),
  ...readersOf(PUTTY_BEGINNINGS, readPutty),
  ...readersOf(ENCODED_PEM_BEGINNINGS, readEncodedPem),
  ...readersOf(BEARER_BEGINNINGS, readBearer),
  ...readersOf(BASIC_BEGINNINGS, readBasic),
  ...readersOf(AWS_SECRET_BEGINNINGS, readAwsSecret),
  ...readersOf(PAIR_BEGINNINGS, readPairPassword),
]

/** Who reads on, by the beginning that was found. */
const READERS = new Map<string, Reader>([
  ...TOKEN_PREFIXES.map((prefix): [string, Reader] => [
    prefix,
    tokenReader(TOKENS.filter(({ prefixes }) => prefixes.includes(prefix))),
  ]),
  ...BEGINNINGS,
  [URL_BEGINNING, readUrlPassword],
])

/** The longest first, because a prefix may begin with another one. */
const alternatives = (beginnings: readonly string[]): string =>
  beginnings
    .toSorted((a, b) => b.length - a.length)
    .map((beginning) => beginning.replace(/[^A-Za-z0-9]/g, '\\$&'))
    .join('|')

/** All beginnings in one alternation, which passes over a text once. */
const BEGINNING = new RegExp(
  BOUNDARY +
    `(?:(?:${alternatives(TOKEN_PREFIXES)})(?=[\\w.+/=%~-]{${MIN_BODY}})` +
    `|${alternatives(BEGINNINGS.map(([beginning]) => beginning))})|${URL_BEGINNING}(?=${URL_AHEAD})`,
  'g',
)

/**
 * The secrets in a text, in order and without overlaps, by their shape and checksum. It takes time in proportion to the
 * length of the text, whatever the text is: what was read is not read again.
 */
export function findSecrets(text: string): Found[] {
  const found: Found[] = []
  BEGINNING.lastIndex = 0
  for (let hit = BEGINNING.exec(text); hit; hit = BEGINNING.exec(text)) {
    const result = READERS.get(hit[0])?.(text, hit.index, BEGINNING.lastIndex) ?? BEGINNING.lastIndex
    if (typeof result === 'number') BEGINNING.lastIndex = result
    else {
      found.push(result)
      // What a header holds may be a token of a kind of its own, which then counts.
      BEGINNING.lastIndex = result.kind === 'bearer_token' ? result.start : result.end
    }
  }
  return merged([...found, ...findOddShapes(text), ...findSeedPhrases(text)])
}

/** Two that overlap are one: it has the kind of the first, and of two that begin together, of the one that was found last. */
export function merged<F extends Found>(found: readonly F[]): F[] {
  const inOrder = found.toSorted((a, b) => a.start - b.start)
  const kept: F[] = []
  for (const one of inOrder) {
    const last = kept.at(-1)
    if (!last || one.start >= last.end) {
      kept.push(one)
      continue
    }
    const named = one.start === last.start ? one : last
    kept[kept.length - 1] = { ...named, end: Math.max(last.end, one.end) }
  }
  return kept
}
