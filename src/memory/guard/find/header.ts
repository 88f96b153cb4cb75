import { isExample, isRandom } from './plausible.ts'
import { isPassword } from './password.ts'
import { matchAt, type Reader } from './found.ts'

export const BEARER_BEGINNINGS = ['Bearer ', 'bearer ', 'BEARER ']
const BEARER = /\s{0,4}["'`]?([\w.~+/-]{16,8192}={0,2})/y

/** The token of a bearer header (RFC 6750 §2.1). A JWT or a vendor's token in it counts as what it is. */
export const readBearer: Reader = (text, _at, after) => {
  const match = matchAt(BEARER, text, after)
  if (!match) return after
  const token = (match[1] ?? '').replace(/[.]+$/, '')
  const start = after + match[0].length - (match[1] ?? '').length
  const end = start + token.length
  return isRandom(text, start, end) ? { kind: 'bearer_token', start, end } : after
}

export const BASIC_BEGINNINGS = ['Basic ', 'basic ', 'BASIC ']
const BASIC = /\s{0,4}["'`]?([A-Za-z0-9+/_-]{12,1024}={0,2})(?![A-Za-z0-9+/_-])/y
const ASCII = /^[ -~]*$/
const USER_PASSWORD = /^([^:\p{Cc}]{0,256}):([^\p{Cc}]{1,512})$/u

/** User and password of a basic header (RFC 7617), which decode to printable text with a colon. */
export const readBasic: Reader = (text, _at, after) => {
  const match = matchAt(BASIC, text, after)
  if (!match) return after
  const [whole, encoded = ''] = match
  const end = after + whole.length
  const pair = USER_PASSWORD.exec(decoded(encoded))
  if (!pair || isExample(text, end) || !isPassword(pair[2] ?? '', pair[1]) || /^open ?sesame$/i.test(pair[2] ?? '')) {
    return after
  }
  return { kind: 'basic_auth', start: end - encoded.length, end }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Empty where it is no base64, or no UTF-8. */
function decoded(encoded: string): string {
  try {
    const bytes = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
    return ASCII.test(bytes) ? bytes : utf8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  } catch {
    return ''
  }
}
