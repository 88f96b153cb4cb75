/** Loopback hosts of RFC 8252 §7.3, and the name that browsers resolve to them. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const MAX_LENGTH = 2_000

/**
 * Whether a redirect URI may be registered: absolute, HTTPS (or HTTP to a loopback host where that is allowed), without
 * fragment and user info. It must be in its normal form, since redirect URIs are compared as exact strings.
 */
export function isRedirectUri(uri: string, allowLoopback: boolean): boolean {
  if (uri.length > MAX_LENGTH || !/^https?:\/\/[\x21-\x7e]+$/.test(uri) || /[#\\"<>^`{|}*]/.test(uri)) return false
  const url = URL.parse(uri)
  if (!url || url.username !== '' || url.password !== '') return false
  if (url.href !== uri && url.href !== `${uri}/`) return false
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(url.pathname)) return false
  return url.protocol === 'https:' || (allowLoopback && LOOPBACK.has(url.hostname))
}

/** The registered URI with the parameters of the answer added to its query (RFC 6749 §4.1.2). */
export function redirectTo(uri: string, answer: Record<string, string | undefined>): string {
  const query = Object.entries(answer)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    // `URLSearchParams` writes `+` for a space, which not every client decodes.
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')
  const separator = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&'
  return `${uri}${separator}${query}`
}
