export { authenticate, invalidToken, type PresentedCredential } from './credentials/authenticate.ts'
export { liveCredentialIds, loadCredential, credentialNotRevoked } from './credentials/load.ts'
export type { Credential } from './credentials/credential.ts'
export { OPERATOR_PATH, OPERATOR_REALM, operatorOf } from './credentials/operator.ts'
export { directoryDatabase, Email, normalizeEmail } from './directory/accounts.ts'
export {
  addressFault,
  addressStatements,
  confirmAddress,
  freeAddress,
  requireFreeAddress,
  reserveAddress,
  type AddressEntry,
} from './directory/addresses.ts'
export { requireOpenRegion, shardFailed, shardForNewTenant } from './directory/placement.ts'
export { DIRECTORY_WARNINGS, directoryWarnings } from './directory/ready-warnings.ts'
export { releaseErased, releaseStatements } from './directory/release.ts'
export { directorySweeps } from './directory/sweep.ts'
export { authEndpoints } from './endpoints.ts'
export { findClient, isOwned, MAX_OAUTH_CLIENT_ID_CHARACTERS } from './oauth/clients/client.ts'
export { countFailure } from './oauth/clients/client-limit.ts'
export { createAuthorize } from './oauth/authorize/authorize.tsx'
export { bearerChallenge, insufficientScope } from './oauth/bearer-challenge.ts'
export {
  AGENT_SCOPES,
  agentProject,
  apiResource,
  calledResource,
  opensResource,
  sendAs,
  type CalledResource,
} from './oauth/resources.ts'
export { oauthSweep } from './oauth/sweep.ts'
export { LOGIN_FORM } from './login-form.ts'
export { deviceToken, LoginReply, loginReply, SAMPLE_LOGIN } from './login.ts'
export { denialSweep, recordDenials } from './credentials/send-denials.ts'
export { commitThenDeny, denyThenCommit, type RevocationStatement } from './credentials/deny-and-commit.ts'
export { endCredentials } from './credentials/end-credentials.ts'
export { endGrantsOf } from './grants/end-grant.ts'
export { reauthenticate } from './passwords/reauthenticate.ts'
export { sessionSweep } from './sessions/sweep.ts'
export { hashPassword, NewPassword, verifyPassword } from './passwords/password.ts'
export { newSession, type NewSession } from './sessions/new-session.ts'
export { proveSource } from './sessions/prove-source.ts'
export { TokenMint, newRoutingId } from './credentials/tokens.ts'
export * from './pages/index.ts'
export { authenticateUpgrade, SUBPROTOCOL, subprotocols } from './credentials/authenticate-upgrade.ts'
export { SCOPE_TEXTS } from './oauth/scopes.ts'
export type { App, AppWithSecret } from './apps/app.ts'
export type { Grant } from './grants/grant.ts'
export type { Session } from './sessions/session.ts'
