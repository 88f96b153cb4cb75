import { matchAt, type Reader } from './found.ts'
import { isPassword, MIN_PASSWORD } from './password.ts'

export const URL_BEGINNING = '://'
/** What must follow for a password to be there at all. */
export const URL_AHEAD = '[^\\s/@]{2,400}@'

const SCHEME_SIGN = /[A-Za-z0-9+.-]/
const MAX_SCHEME = 24
/** RFC 3986 §3.2.1, and what databases take besides: a password may have any sign that ends no word. */
const USER_INFO = /([^\s:@/?#"'<>`\\|,;(){}[\]]{0,128}):([^\s/"'<>`\\]{1,256})@(?=[A-Za-z0-9[$<{_*%-])/y
/** `https://localhost:8080?to=a@b`: a port, and no password. */
const QUERY = /[?#]/
const PORT = /^\d{1,5}[?#]/
const WEB = /^(?:https?|ftps?|wss?|git|ssh|git\+https)$/i

/** The password within a connection string or a web address: `postgres://app:…@db.internal/app`. */
export const readUrlPassword: Reader = (text, at, after) => {
  const match = matchAt(USER_INFO, text, after)
  if (!match) return after
  const [whole, user = '', password = ''] = match
  const end = after + whole.length - 1
  if (password.length < MIN_PASSWORD) return end
  const scheme = schemeBefore(text, at)
  if (scheme === '' || PORT.test(password) || (WEB.test(scheme) && QUERY.test(password))) return after
  // GitHub's form for tokens names no password: https://git.example/TOKEN:x-oauth-basic@…
  if (/^x-(?:oauth-basic|token-auth)$/.test(password) && user.length >= 20) {
    return { kind: 'connection_string', start: after, end: after + user.length }
  }
  if (!isPassword(password, user) || !isPassword(decoded(password), user)) return end
  return { kind: 'connection_string', start: end - password.length, end }
}

/** The scheme that ends at a place; empty where none does. */
function schemeBefore(text: string, at: number): string {
  let from = at
  while (from > 0 && at - from < MAX_SCHEME && SCHEME_SIGN.test(text[from - 1] ?? '')) from -= 1
  return text.slice(from, at).replace(/^[^A-Za-z]+/, '')
}

function decoded(password: string): string {
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
