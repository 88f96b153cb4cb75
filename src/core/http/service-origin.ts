import type { Config } from '../config.ts'

/** Origin of every link and of the OAuth issuer: `PUBLIC_ORIGIN` where it is set, else that of the request. */
export const serviceOrigin = ({ publicOrigin }: Pick<Config, 'publicOrigin'>, url: URL): string =>
  publicOrigin ?? url.origin
