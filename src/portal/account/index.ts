import { resetPasswordRoutes } from './reset-password.tsx'
import { signInRoutes } from './sign-in.tsx'
import { signOutRoute } from './sign-out.ts'
import { signUpRoutes } from './sign-up.tsx'

export const accountRoutes = [...signInRoutes, ...signUpRoutes, ...resetPasswordRoutes, signOutRoute]
