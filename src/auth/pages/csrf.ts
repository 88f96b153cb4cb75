import { toBase64Url, utf8 } from '../../core/values/encoding.ts'
import { AppError } from '../../core/errors.ts'
import { hmacSha256, importHmacKey, timingSafeEqual } from '../../core/values/hash.ts'

/** The name of the hidden field that carries the token. */
export const CSRF_FIELD = 'csrf'

/**
 * A token bound to a secret that only this browser and we know: its session token, or a random cookie before login
 * (which closes login CSRF). It says nothing about the secret and needs no storage.
 */
export async function csrfToken(secret: string): Promise<string> {
  const key = await importHmacKey(utf8(secret))
  return toBase64Url((await hmacSha256(key, utf8('csrf token of a form'))).subarray(0, 18))
}

/** 403 unless the form came from a page of ours, in this browser, in this session (security 8, 10). */
export async function requireOwnForm(request: Request, secret: string, presented: string | undefined): Promise<void> {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const foreign =
    (origin !== null && origin !== new URL(request.url).origin) ||
    (site !== null && site !== 'same-origin' && site !== 'none')
  if (foreign || !timingSafeEqual(utf8(presented ?? ''), utf8(await csrfToken(secret)))) {
    throw new AppError('forbidden', {
      detail: 'This form was not sent from its own page, or the page is from an earlier session. Open it again.',
    })
  }
}

/** A path of this origin to go on to, or `fallback`: never another origin, whatever the parameter holds (security 9). */
export function safeReturn(value: string | null | undefined, fallback: string): string {
  if (!value || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value) || value.includes('\\')) return fallback
  const base = 'https://own.invalid'
  const url = URL.canParse(value, base) ? new URL(value, base) : null
  return url?.origin === base ? url.pathname + url.search : fallback
}
