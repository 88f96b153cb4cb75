import { appEndpoints } from './apps/index.ts'
import { changePasswordEndpoint } from './passwords/change-password.ts'
import { grantEndpoints } from './grants/list.ts'
import { loginEndpoint } from './login.ts'
import { logoutEndpoint } from './logout.ts'
import { oauthEndpoints } from './oauth/index.ts'
import { readSessionEndpoints } from './sessions/list.ts'
import { revokeSessionEndpoints } from './sessions/revoke.ts'

export const authEndpoints = [
  loginEndpoint,
  logoutEndpoint,
  changePasswordEndpoint,
  ...readSessionEndpoints,
  ...revokeSessionEndpoints,
  ...oauthEndpoints,
  ...appEndpoints,
  ...grantEndpoints,
]
