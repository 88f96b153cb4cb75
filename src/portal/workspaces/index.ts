import { workspaceDetailRoutes } from './detail.tsx'
import { invitationRoutes } from './invitations.tsx'
import { workspaceListRoutes } from './list.tsx'

export const workspaceRoutes = [...workspaceListRoutes, ...workspaceDetailRoutes, ...invitationRoutes]
