import { matchAt, type Reader } from './found.ts'

const KIND = 'private_key'
/** Characters of the longest key, of 16,384 bits, with its escapes. */
const MAX_CHARACTERS = 32_768

/** RFC 7468 §10 and §11, RFC 9580 §6.2, and the form of OpenSSH. */
export const PEM_BEGINNINGS = ['-----BEGIN ', '---- BEGIN ']
const HEADER = /(?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y
const FOOTER = /-{4,5} ?END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y
/** A line of a key has 64 characters, its last line fewer. A document that only names the header has none. */
const LINE = /[A-Za-z0-9+/]{32,}={0,2}/g
const MIN_DISTINCT = 10

/** From the first line to the last. A key that was cut off ends with its last long line, so that the text behind it stays. */
export const readPem: Reader = (text, at, after) => {
  const header = matchAt(HEADER, text, after)
  if (!header) return after
  const from = after + header[0].length
  const dashes = text.indexOf('---', from)
  const to = Math.min(dashes < 0 ? text.length : dashes, from + MAX_CHARACTERS)
  const lastLine = endOfLines(text, from, to)
  if (lastLine === null) return to
  const footer = matchAt(FOOTER, text, to)
  return { kind: KIND, start: at, end: footer ? to + footer[0].length : lastLine }
}

/** The end of the last long line between two places; null where no line looks like a part of a key. */
function endOfLines(text: string, from: number, to: number): number | null {
  let end: number | null = null
  for (const { 0: line, index } of text.slice(from, to).matchAll(LINE)) {
    if (end === null && new Set(line.slice(0, 64)).size < MIN_DISTINCT) return null
    end = from + index + line.length
  }
  return end
}

/** The part of a PuTTY file that is secret: https://tartarus.org/~simon/putty-snapshots/htmldoc/AppendixC.html */
export const PUTTY_BEGINNINGS = ['Private-Lines: ']
const PUTTY = /\d{1,3}(?:\s|\\[rn]){1,4}(?:[A-Za-z0-9+/]{32,64}={0,2}(?:\s|\\[rn]){0,4}){1,400}/y
export const readPutty: Reader = (text, at, after) => {
  const match = matchAt(PUTTY, text, after)
  return match ? { kind: KIND, start: at, end: after + match[0].trimEnd().length } : after
}

/** A whole PEM file as base64, as kubeconfig files and Kubernetes secrets have it: `-----BEGIN`, then `RSA PRIVATE KEY`. */
export const ENCODED_PEM_BEGINNINGS = ['LS0tLS1CRUdJTi']
const ENCODED = /[A-Za-z0-9+/]{80,40000}={0,2}/y
export const readEncodedPem: Reader = (text, at, after) => {
  const match = matchAt(ENCODED, text, at)
  if (!match) return after
  const end = at + match[0].length
  return atob(match[0].slice(0, 64)).includes('PRIVATE KEY') ? { kind: KIND, start: at, end } : end
}
