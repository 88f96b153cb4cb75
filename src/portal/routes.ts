import { accountRoutes } from './account/index.ts'
import { agentRoutes } from './agents/connect.tsx'
import { appRoutes } from './apps/index.ts'
import { auditRoutes } from './audit/audit.tsx'
import { erasureRoutes } from './erasures/index.ts'
import { liveRoutes } from './events/live.tsx'
import { insightsRoute } from './insights/insights.tsx'
import { keyRoutes } from './keys/index.ts'
import { memoryRoutes } from './memory/index.ts'
import { overviewRoute } from './overview/overview.tsx'
import { projectRoutes } from './projects/index.ts'
import { accountSettingsRoutes } from './settings/index.ts'
import { thingsRoute } from './palette/things.ts'
import type { Route } from './route.ts'
import { usageRoute } from './usage/usage.tsx'
import { webhookRoutes } from './webhooks/index.ts'
import { workspaceRoutes } from './workspaces/index.ts'

/** Every page and form of the portal. The router and the tests read this list. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  overviewRoute,
  thingsRoute,
  ...memoryRoutes,
  ...agentRoutes,
  ...keyRoutes,
  ...projectRoutes,
  ...liveRoutes,
  ...webhookRoutes,
  ...workspaceRoutes,
  ...appRoutes,
  usageRoute,
  insightsRoute,
  ...auditRoutes,
  ...erasureRoutes,
  ...accountSettingsRoutes,
]
