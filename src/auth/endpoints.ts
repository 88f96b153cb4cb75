import { loginEndpoint } from './login.ts'
import { logoutEndpoint } from './logout.ts'

export const authEndpoints = [loginEndpoint, logoutEndpoint]
