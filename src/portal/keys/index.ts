import { keyDetailRoutes } from './detail.tsx'
import { keyListRoute } from './list.tsx'
import { newKeyRoutes } from './new.tsx'

/** "New" before a key's page, which would take it for an id. */
export const keyRoutes = [keyListRoute, ...newKeyRoutes, ...keyDetailRoutes]
