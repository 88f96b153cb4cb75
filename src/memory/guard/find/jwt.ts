import { isExample } from './plausible.ts'
import { matchAt, type Reader } from './found.ts'

/** `{"` and `{ "` in base64url. */
export const JWT_BEGINNINGS = ['eyJ', 'ewog', 'eyAi', 'ewogICJ']
const SEGMENTS = /[\w-]+(?:\.[\w-]*){0,5}/y
/** The claims that jwt.io shows: `{"sub":"1234567890"`. */
const EXAMPLE_CLAIMS = 'eyJzdWIiOiIxMjM0NTY3ODkwIi'
const MIN_SIGNATURE = 20
const MAX_HEADER = 4_096

/** A signed JWT in its compact form (RFC 7515 §7.1). One with `alg: none` proves nothing, so it is no secret. */
export const readJwt: Reader = (text, at) => {
  const match = matchAt(SEGMENTS, text, at)
  if (!match) return at + 1
  const whole = match[0].replace(/\.+$/, '')
  const [header = '', claims = '', signature = '', ...more] = whole.split('.')
  const end = at + whole.length
  const signed = more.length === 0 && claims.length > 3 && signature.length >= MIN_SIGNATURE
  if (!signed || claims.startsWith(EXAMPLE_CLAIMS) || isExample(text, end) || !namesAlgorithm(header)) {
    return at + match[0].length
  }
  return { kind: 'jwt', start: at, end }
}

function namesAlgorithm(header: string): boolean {
  if (header.length > MAX_HEADER) return false
  try {
    const value: unknown = JSON.parse(atob(header.replaceAll('-', '+').replaceAll('_', '/')))
    if (value === null || typeof value !== 'object' || !('alg' in value)) return false
    return typeof value.alg === 'string' && value.alg.toLowerCase() !== 'none'
  } catch {
    return false
  }
}
