import { keyDetailRoutes } from './detail.tsx'
import { keyListRoute } from './list.tsx'
import { newKeyRoutes } from './new.tsx'

/** The static path `/new` comes first: the path of a key's page would match it as an id. */
export const keyRoutes = [keyListRoute, ...newKeyRoutes, ...keyDetailRoutes]
