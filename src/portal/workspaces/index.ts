import { workspaceDetailRoutes } from './detail.tsx'
import { workspaceListRoutes } from './list.tsx'

export const workspaceRoutes = [...workspaceListRoutes, ...workspaceDetailRoutes]
