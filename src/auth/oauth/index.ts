import { introspectEndpoint } from './introspect.ts'
import { metadataEndpoints } from './metadata.ts'
import { registerEndpoint } from './register.ts'
import { revokeEndpoint } from './revoke.ts'
import { tokenEndpoint } from './token.ts'

export const oauthEndpoints = [
  tokenEndpoint,
  revokeEndpoint,
  introspectEndpoint,
  registerEndpoint,
  ...metadataEndpoints,
]
