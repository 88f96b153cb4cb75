import { appEndpoints } from './apps/index.ts'
import { grantEndpoints } from './grants/index.ts'
import { loginEndpoint } from './login.ts'
import { logoutEndpoint } from './logout.ts'
import { oauthEndpoints } from './oauth/index.ts'

export const authEndpoints = [loginEndpoint, logoutEndpoint, ...oauthEndpoints, ...appEndpoints, ...grantEndpoints]
