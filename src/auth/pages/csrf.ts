import { toBase64Url, utf8 } from '../../core/values/encoding.ts'
import { AppError } from '../../core/errors.ts'
import { hmacSha256, importHmacKey, timingSafeEqual } from '../../core/values/hash.ts'

/** The name of the hidden field that carries the token. */
export const CSRF_FIELD = 'csrf'

/**
 * The token of a form, derived from a secret of this browser: its session token, or a random cookie before a login, so
 * that no other site logs the browser in. It does not reveal the secret and needs no storage.
 */
export async function csrfToken(secret: string): Promise<string> {
  const key = await importHmacKey(utf8(secret))
  return toBase64Url((await hmacSha256(key, utf8('csrf token of a form'))).subarray(0, 18))
}

/** 403 unless a page of this origin sent the form, in this browser and in this session (security 8, 10). */
export async function requireOwnForm(request: Request, secret: string, presented: string | undefined): Promise<void> {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const foreign =
    (origin !== null && origin !== new URL(request.url).origin) ||
    (site !== null && site !== 'same-origin' && site !== 'none')
  if (foreign || !timingSafeEqual(utf8(presented ?? ''), utf8(await csrfToken(secret)))) {
    throw new AppError('forbidden', {
      detail: 'This form was not sent from its own page, or the page is from an earlier session. Open the page again.',
    })
  }
}

/** The path to return to, or `fallback` where the parameter leads to another origin (security 9). */
export function safeReturn(value: string | null | undefined, fallback: string): string {
  if (!value || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value) || value.includes('\\')) return fallback
  const base = 'https://own.invalid'
  const url = URL.canParse(value, base) ? new URL(value, base) : null
  if (url?.origin !== base) return fallback
  const path = url.pathname + url.search
  // Without its dot segments a path may name a host: `/.//host` is `//host`.
  return path.startsWith('//') ? fallback : path
}
