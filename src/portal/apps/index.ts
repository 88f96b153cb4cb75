import { connectedRoutes } from './connected.tsx'
import { appDetailRoutes } from './detail.tsx'
import { appListRoute } from './list.tsx'
import { newAppRoutes } from './new.tsx'

/** "New" before an app's page, which would take it for an id. */
export const appRoutes = [appListRoute, ...newAppRoutes, ...appDetailRoutes, ...connectedRoutes]
