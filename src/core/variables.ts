/** Rules for the deployment's variables that the service and `npm run deploy` share. */

/**
 * The canonical origin that `PUBLIC_ORIGIN` names: scheme and host, with nothing behind them. It is an https origin, or
 * an http one under `local`. Undefined where the text is anything else.
 */
export function publicOrigin(text: string, local: boolean): string | undefined {
  const url = URL.parse(text)
  const scheme = url?.protocol === 'https:' || (local && url?.protocol === 'http:')
  return url && scheme && (text === url.origin || text === `${url.origin}/`) ? url.origin : undefined
}

/** The fault of a text that `publicOrigin` refuses. */
export const notAnOrigin = (text: string): string =>
  `PUBLIC_ORIGIN is ${JSON.stringify(text)}, which is not an origin such as https://memory.example.com`

/** Whether `CLIENT_REGISTRATION` has a known value. An unknown value closes registration. */
export const isRegistration = (text: string): boolean => text === 'open' || text === 'closed'

export const unknownRegistration = (text: string): string =>
  `CLIENT_REGISTRATION is ${JSON.stringify(text)}, which is neither open nor closed`

/** Who may register: anybody, the first person alone, or nobody without an invitation. */
export const SIGNUPS = ['open', 'first', 'closed'] as const
export type Signups = (typeof SIGNUPS)[number]

/** Whether `SIGNUPS` has a known value. An unknown value closes sign-ups. */
export const isSignups = (text: string | undefined): text is Signups => SIGNUPS.some((word) => word === text)

export const unknownSignups = (text: string): string =>
  `SIGNUPS is ${JSON.stringify(text)}, which is not one of ${SIGNUPS.join(', ')}`

/** Where Cloudflare can be asked to make a Durable Object (`DATA_REGION`). */
const DATA_REGIONS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'apac-ne', 'apac-se', 'oc', 'afr', 'me'] as const
export type DataRegion = (typeof DATA_REGIONS)[number]

/** The region of that name; undefined: no region has it. */
export const dataRegion = (name: unknown): DataRegion | undefined => DATA_REGIONS.find((region) => region === name)

/** The fault of a name that `dataRegion` does not know. */
export const unknownRegion = (name: unknown): string =>
  `DATA_REGION is ${JSON.stringify(name)}, which is not one of ${DATA_REGIONS.join(', ')}`

/** Whether a variable names an address that the service can call. */
export const isHttpUrl = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** The fault of an address that `isHttpUrl` refuses. The fault does not show the value, which may hold a password. */
export const notAUrl = (name: string): string => `${name} is not an http or https address`

/** A shorter `METRICS_TOKEN` could be guessed. */
const MIN_METRICS_TOKEN = 32

/** Whether a text may open `/metrics`: characters that a Bearer credential may have (RFC 6750 §2.1), enough of them. */
export const isMetricsToken = (text: string): boolean => text.length >= MIN_METRICS_TOKEN && /^[\w.~+/-]+=*$/.test(text)

export const weakMetricsToken = `METRICS_TOKEN must have at least ${MIN_METRICS_TOKEN} characters of A-Z, a-z, 0-9 and -._~+/`
