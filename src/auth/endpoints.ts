import { appEndpoints } from './apps/index.ts'
import { changePasswordEndpoint } from './change-password.ts'
import { grantEndpoints } from './grants/index.ts'
import { loginEndpoint } from './login.ts'
import { logoutEndpoint } from './logout.ts'
import { oauthEndpoints } from './oauth/index.ts'
import { resetPasswordEndpoint } from './reset-password.ts'
import { listSessionsEndpoint } from './sessions/list.ts'
import { revokeSessionEndpoints } from './sessions/revoke.ts'

export const authEndpoints = [
  loginEndpoint,
  logoutEndpoint,
  resetPasswordEndpoint,
  changePasswordEndpoint,
  listSessionsEndpoint,
  ...revokeSessionEndpoints,
  ...oauthEndpoints,
  ...appEndpoints,
  ...grantEndpoints,
]
