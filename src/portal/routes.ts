import { accountRoutes } from './account/index.ts'
import { agentRoutes } from './agents/connect.tsx'
import { appRoutes } from './apps/index.ts'
import { auditRoutes } from './audit/audit.tsx'
import { erasureRoutes } from './erasures/index.ts'
import { liveRoutes } from './events/live.tsx'
import { keyRoutes } from './keys/index.ts'
import { memoryListRoutes } from './memory-lists/index.ts'
import { memoryRoutes } from './memory/index.ts'
import { overviewRoute } from './overview/overview.tsx'
import { projectRoutes } from './projects/index.ts'
import { accountSettingsRoutes } from './settings/index.ts'
import { thingsRoute } from './palette/things.ts'
import type { Route } from './route.ts'
import { usageRoutes } from './usage/usage.tsx'
import { webhookRoutes } from './webhooks/index.ts'
import { workspaceRoutes } from './workspaces/index.ts'

/** Every page and form of the portal. The router and the tests read this list. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  overviewRoute,
  thingsRoute,
  ...memoryRoutes,
  ...memoryListRoutes,
  ...agentRoutes,
  ...keyRoutes,
  ...projectRoutes,
  ...liveRoutes,
  ...webhookRoutes,
  ...workspaceRoutes,
  ...appRoutes,
  ...usageRoutes,
  ...auditRoutes,
  ...erasureRoutes,
  ...accountSettingsRoutes,
]
