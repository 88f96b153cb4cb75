/** Loopback hosts of RFC 8252 §7.3, and the name that browsers resolve to them. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const MAX_LENGTH = 2_000
/** Private-use schemes without a dot that known agents have (RFC 8252 §7.1). A browser runs none of them. */
const AGENT_SCHEMES: ReadonlySet<string> = new Set([
  'antigravity',
  'claude',
  'cursor',
  'goose',
  'jetbrains',
  'kiro',
  'lmstudio',
  'raycast',
  'trae',
  'vscode',
  'vscode-insiders',
  'vscodium',
  'warp',
  'windsurf',
  'zed',
])

/**
 * Whether a redirect URI may be registered: absolute, HTTPS (or HTTP to a loopback host where that is allowed), without
 * fragment and user info. It must be in its normal form, since redirect URIs are compared as exact strings.
 */
export function isRedirectUri(uri: string, allowLoopback: boolean): boolean {
  if (uri.length > MAX_LENGTH || !/^https?:\/\/[\x21-\x7e]+$/.test(uri) || !isPlain(uri)) return false
  const url = URL.parse(uri)
  if (!url || url.username !== '' || url.password !== '') return false
  if (url.href !== uri && url.href !== `${uri}/`) return false
  if (hasDotSegments(url)) return false
  return url.protocol === 'https:' || (allowLoopback && LOOPBACK.has(url.hostname))
}

/** Whether a public application without an owner may have the URI: HTTPS, loopback, or a private-use one. */
export const isNativeRedirectUri = (uri: string): boolean => isRedirectUri(uri, true) || isPrivateUse(uri)

/**
 * Whether a URI has a private-use scheme: one with a dot, as of a domain name in reverse, or that of a known agent. No scheme
 * that a browser runs or opens by itself has a dot. Another application may claim the scheme, so the client must use S256.
 */
function isPrivateUse(uri: string): boolean {
  if (uri.length > MAX_LENGTH || !isPlain(uri)) return false
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):[\x21-\x7e]+$/.exec(uri) ?? []
  if (!scheme.includes('.') && !AGENT_SCHEMES.has(scheme)) return false
  const url = URL.parse(uri)
  return url?.href === uri && url.username === '' && url.password === '' && !hasDotSegments(url)
}

/** No character that needs an escape, no wildcard, and no fragment. */
const isPlain = (uri: string): boolean => !/[#\\"<>^`{|}*]/.test(uri)
const hasDotSegments = (url: URL): boolean => /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(url.pathname)

/** Whether the URI leads to an application on the user's own computer instead of a host. */
export const isOnThisComputer = (uri: string): boolean => !uri.startsWith('https:')

/**
 * What `form-action` must allow besides our own origin. Browsers check every redirect after the form against it, and those of
 * the application may lead to any https origin. A private-use URI has no origin, and a policy has no form for IPv6 hosts:
 * there the scheme stands alone.
 */
export function formTargets(uri: string): string[] {
  const { protocol, hostname, origin } = new URL(uri)
  if (protocol === 'https:') return ['https:']
  if (protocol === 'http:') return ['https:', hostname.startsWith('[') ? protocol : origin]
  return [protocol]
}

/**
 * Whether a URI is a registered one. Of loopback URIs the port may differ, since an application takes whichever is free
 * (RFC 8252 §7.3); `localhost` and `127.0.0.1` stay two hosts.
 */
export function isRegistered(uri: string, registered: readonly string[], anyPort: boolean): boolean {
  if (registered.includes(uri)) return true
  const portless = anyPort && isRedirectUri(uri, true) ? withoutLoopbackPort(uri) : null
  return portless !== null && registered.some((one) => withoutLoopbackPort(one) === portless)
}

/** Null for every other URI than a loopback one. */
function withoutLoopbackPort(uri: string): string | null {
  const match = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d+)?(\/.*)?$/.exec(uri)
  return match ? `${match[1]}${match[2] ?? ''}` : null
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
