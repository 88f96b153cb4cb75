/** Rules for the deployment's variables that the service and `npm run deploy` share. */

/** Variables that loosen a rule for local use. A deployment may not set them (contract §7). */
export const LOCAL_ONLY = ['ALLOW_LOOPBACK_REDIRECTS', 'ALLOW_PRIVATE_WEBHOOKS', 'LIMITS_FACTOR']

export const isLocalOnly = (name: string): string => `${name} is for local use only`

/** Where Cloudflare can be asked to make a Durable Object (`DATA_REGION`). */
const DATA_REGIONS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'apac-ne', 'apac-se', 'oc', 'afr', 'me'] as const
export type DataRegion = (typeof DATA_REGIONS)[number]

/** The region of that name; undefined: no region has it. */
export const dataRegion = (name: unknown): DataRegion | undefined => DATA_REGIONS.find((region) => region === name)

/** The fault of a name that `dataRegion` does not know. */
export const unknownRegion = (name: unknown): string =>
  `DATA_REGION is ${JSON.stringify(name)}, which is none of ${DATA_REGIONS.join(', ')}`
