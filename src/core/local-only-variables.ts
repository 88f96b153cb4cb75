/** Variables that loosen a rule for local use. A deployment may not set them (contract §7). */
export const LOCAL_ONLY = [
  'ALLOW_LOOPBACK_REDIRECTS',
  'ALLOW_PRIVATE_WEBHOOKS',
  'ALLOW_PRIVATE_CLIENT_DOCUMENTS',
  'LIMITS_FACTOR',
]

export const isLocalOnly = (name: string): string => `${name} is for local use only`
