import { introspectEndpoint } from './token/introspect.ts'
import { metadataEndpoints } from './metadata.ts'
import { registerEndpoint } from './clients/register.ts'
import { revokeEndpoint } from './token/revoke.ts'
import { tokenEndpoint } from './token/token.ts'

export const oauthEndpoints = [
  tokenEndpoint,
  revokeEndpoint,
  introspectEndpoint,
  registerEndpoint,
  ...metadataEndpoints,
]
