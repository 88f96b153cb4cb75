import { projectDetailRoutes } from './detail.tsx'
import { projectListRoute } from './list.tsx'
import { newProjectRoutes } from './new.tsx'

/** The static path `/new` comes first: the path of a project's page would match it as an id. */
export const projectRoutes = [projectListRoute, ...newProjectRoutes, ...projectDetailRoutes]
