/** Rules for the deployment's variables that the service and `npm run deploy` share. */

/** Variables that loosen a rule for local use. A deployment may not set them (contract §7). */
export const LOCAL_ONLY = ['ALLOW_LOOPBACK_REDIRECTS', 'ALLOW_PRIVATE_WEBHOOKS', 'LIMITS_FACTOR']

export const isLocalOnly = (name: string): string => `${name} is for local use only`

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

/** Where Cloudflare can be asked to make a Durable Object (`DATA_REGION`). */
const DATA_REGIONS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'apac-ne', 'apac-se', 'oc', 'afr', 'me'] as const
export type DataRegion = (typeof DATA_REGIONS)[number]

/** The region of that name; undefined: no region has it. */
export const dataRegion = (name: unknown): DataRegion | undefined => DATA_REGIONS.find((region) => region === name)

/** The fault of a name that `dataRegion` does not know. */
export const unknownRegion = (name: unknown): string =>
  `DATA_REGION is ${JSON.stringify(name)}, which is none of ${DATA_REGIONS.join(', ')}`
