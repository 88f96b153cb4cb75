import { projectEditRoutes } from './edit.tsx'
import { projectListRoute } from './list.tsx'

export const projectRoutes = [projectListRoute, ...projectEditRoutes]
