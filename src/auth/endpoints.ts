import { appEndpoints } from './apps/index.ts'
import { changePasswordEndpoint } from './passwords/change-password.ts'
import { grantEndpoints } from './grants/index.ts'
import { loginEndpoint } from './login.ts'
import { logoutEndpoint } from './logout.ts'
import { oauthEndpoints } from './oauth/index.ts'
import { sessionEndpoints } from './sessions/index.ts'

export const authEndpoints = [
  loginEndpoint,
  logoutEndpoint,
  changePasswordEndpoint,
  ...sessionEndpoints,
  ...oauthEndpoints,
  ...appEndpoints,
  ...grantEndpoints,
]
