export { authenticate, invalidToken, type PresentedCredential } from './authenticate.ts'
export { loadCredential, type Credential } from './credentials.ts'
export { newKey, type NewKey } from './api-keys/new-key.ts'
export { TokenMint, newRoutingId, shardOf } from './tokens.ts'
