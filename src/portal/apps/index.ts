import { connectedRoutes } from './connected.tsx'
import { appDetailRoutes } from './detail.tsx'
import { appListRoute } from './list.tsx'
import { newAppRoutes } from './new.tsx'

/** The static path `/new` comes first: the path of an app's page would match it as an id. */
export const appRoutes = [appListRoute, ...newAppRoutes, ...appDetailRoutes, ...connectedRoutes]
